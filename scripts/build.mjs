/** Installs and builds what `npm start` would, without starting: a step of the container image. */
import { ensureBuilt, ensureInstalled, orSay } from './bootstrap.mjs'

await orSay(async () => {
  await ensureInstalled()
  await ensureBuilt()
})
