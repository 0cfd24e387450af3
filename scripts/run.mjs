/** `node scripts/run.mjs PROGRAM …`: becomes a program of the project, after installing what is missing. */
import { join } from 'node:path'
import { become } from './become.mjs'
import { ensureBuilt, ensureInstalled, orSay, root } from './bootstrap.mjs'
import { readEnvFile } from './env-file.mjs'

const [program, ...given] = process.argv.slice(2)

await orSay(async () => {
  readEnvFile()
  await ensureInstalled()
  // What looks at the web app wants it as it is now.
  if (/^(test|demo)\/|^bench\/run\.ts$/.test(program)) await ensureBuilt()
  become([join(root, program), ...given])
})
