/**
 * `./unspent demo [--instant] [--fresh] [--data FOLDER] [--cards N]`: runs the whole product on a separate data folder, which is
 * filled at the first start and kept. `--instant` pays through an emulator of PayPal; `--fresh` replaces the folder; `--cards` sets its size.
 */
import { spawn } from 'node:child_process'
import { basename, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { becomeServer } from './become.mjs'
import { ensureBuilt, ensureInstalled, main, nodePath, root, StartError } from './bootstrap.mjs'
import { demoSettings, instantSettings } from './demo-settings.mjs'

/** A demo must not use a real installation's database or storage, or send invented mail. */
const keptVariables =
  /^(PATH|HOME|PORT|HOST|PRODUCT_NAME|BRAND_DIR|LOG_LEVEL|PUBLIC_URL|TRUST_PROXY|NACHA_PRENOTES)$/

// The word `demo` before them is optional.
const args = process.argv.slice(process.argv[2] === 'demo' ? 3 : 2)

await main(async () => {
  const { data, instant } = readOptions()
  const folder = resolve(root, data ?? defaultFolder())
  await ensureInstalled()
  await ensureBuilt()
  await makeDemo(folder)
  const kept = Object.entries(process.env).filter(([name]) => keptVariables.test(name))
  // The balance service is on this machine. A demo that others can reach must not send requests into its network.
  const isOwn = !process.env.HOST && !process.env.PUBLIC_URL
  const settings = { LOG_LEVEL: 'warn', WEBHOOKS_ALLOW_PRIVATE: isOwn ? 'on' : 'off', ...demoSettings }
  const environment = {
    ...settings,
    ...(instant && instantSettings),
    ...Object.fromEntries(kept),
    DATA_DIR: folder,
  }
  const services = ['balance-service', ...(instant ? ['paypal'] : [])]
  becomeServer(
    environment,
    services.flatMap((service) => ['--import', join(root, `demo/${service}.ts`)]),
  )
})

/** Each brand has its own demo, because the emails and payment methods in it are the brand's. */
function defaultFolder() {
  const brand = process.env.BRAND_DIR?.trim()
  return brand ? `demo-data-${basename(brand)}` : 'demo-data'
}

function readOptions() {
  const [text, flag] = [{ type: 'string' }, { type: 'boolean' }]
  try {
    return parseArgs({ args, options: { data: text, fresh: flag, cards: text, instant: flag } }).values
  } catch (error) {
    throw new StartError(`${error.message}\n./unspent demo [--instant] [--fresh] [--data FOLDER] [--cards N]`)
  }
}

/** Prints its own errors. */
function makeDemo(folder) {
  const program = [join(root, 'demo/make.ts'), ...args, '--data', folder]
  const child = spawn(nodePath(), program, { stdio: 'inherit' })
  // Passes the signal on, so that the child can clean up.
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  return new Promise((made, failed) => {
    child.on('exit', (code) => (code === 0 ? made() : failed(new StartError(''))))
  })
}
