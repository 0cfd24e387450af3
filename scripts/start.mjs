/** `npm start`: installs and builds what is missing, then becomes the server. */
import { becomeServer } from './become.mjs'
import { ensureBuilt, ensureInstalled, orSay } from './bootstrap.mjs'
import { readEnvFile } from './env-file.mjs'

await orSay(async () => {
  readEnvFile()
  await ensureInstalled()
  await ensureBuilt()
  becomeServer()
})
