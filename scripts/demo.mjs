/**
 * `npm run demo [-- --fresh] [--data FOLDER]`: the whole product on a data folder of its own, which is filled at the
 * first start and kept. `--fresh` throws the old one away; `--cards N` makes a smaller one.
 */
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { becomeServer } from './become.mjs'
import { ensureBuilt, ensureInstalled, nodePath, orSay, root, StartError } from './bootstrap.mjs'

/** A demo takes nothing of a real installation: neither its database nor its store, and no invented mail leaves. */
const TAKEN = ['PATH', 'HOME', 'PORT', 'HOST', 'PRODUCT_NAME', 'LOG_LEVEL', 'PUBLIC_URL', 'TRUST_PROXY']

await orSay(async () => {
  const folder = resolve(root, readOptions().data ?? 'demo-data')
  await ensureInstalled()
  await ensureBuilt()
  await makeDemo(folder)
  const kept = TAKEN.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))
  becomeServer({ LOG_LEVEL: 'warn', ...Object.fromEntries(kept), DATA_DIR: folder })
})

function readOptions() {
  const text = { type: 'string' }
  try {
    return parseArgs({ options: { data: text, fresh: { type: 'boolean' }, cards: text } }).values
  } catch (error) {
    throw new StartError(`${error.message}\nnpm run demo [-- --fresh] [--data FOLDER] [--cards N]`)
  }
}

/** Says itself what went wrong. */
function makeDemo(folder) {
  const program = [join(root, 'demo/make.ts'), ...process.argv.slice(2), '--data', folder]
  const child = spawn(nodePath(), program, { stdio: 'inherit' })
  // It is told by the terminal, and has to put away what it has begun.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  return new Promise((made, failed) => {
    child.on('exit', (code) => (code === 0 ? made() : failed(new StartError(''))))
  })
}
