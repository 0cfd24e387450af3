/** `node scripts/run.mjs start | build | PROGRAM …`: installs and builds what is missing, then becomes that program. */
import { join } from 'node:path'
import { become, becomeServer } from './become.mjs'
import { ensureBuilt, ensureInstalled, main, root } from './bootstrap.mjs'
import { readEnvFile } from './env-file.mjs'

const [program, ...args] = process.argv.slice(2)

await main(async () => {
  readEnvFile()
  await ensureInstalled()
  if (/^(start|build)$|^(test|demo)\/|^bench\/run\.ts$/.test(program)) await ensureBuilt()
  if (program === 'start') becomeServer()
  else if (program !== 'build') become([join(root, program), ...args])
})
