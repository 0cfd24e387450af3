/**
 * `./unspent start | admin … | demo …`, and `node scripts/run.mjs build | PROGRAM …`: installs and builds what is missing, then
 * becomes that program.
 */
import { join } from 'node:path'
import { become, becomeServer } from './become.mjs'
import { ensureBuilt, ensureInstalled, main, root, StartError } from './bootstrap.mjs'
import { readEnvFile } from './env-file.mjs'

const USAGE = `./unspent start             run the server
./unspent admin [COMMAND]   do what an operator does; without a command, list them
./unspent demo              run the whole product with sample data`

const [program, ...args] = process.argv.slice(2)

await main(async () => {
  if (program === 'demo') return void (await import('./demo.mjs'))
  if (program !== 'start' && program !== 'admin' && program !== 'build' && !program?.includes('/'))
    throw new StartError(USAGE)
  readEnvFile()
  await ensureInstalled()
  if (/^(start|build)$|^(test|demo)\/|^bench\/run\.ts$/.test(program)) await ensureBuilt()
  if (program === 'start') becomeServer()
  else if (program === 'admin') become([join(root, 'server/operator/main.ts'), ...args])
  else if (program !== 'build') become([join(root, program), ...args])
})
