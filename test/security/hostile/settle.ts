import { registerHooks } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// Loaded before the server that the long fuzzer attacks. It changes nothing of what is attacked but two things:
// passwords are hashed with the smallest work that argon2 knows, as hashing them would take half of the hours, and
// on a signal all garbage is collected, so that what is measured is what is kept.

const CHEAP = `
  import real from '@node-rs/argon2?real'
  export const hash = (password, options) =>
    real.hash(password, { ...options, memoryCost: 8, timeCost: 1, parallelism: 1 })
  export const verify = real.verify`

registerHooks({
  resolve: (specifier, context, next) => {
    if (specifier === '@node-rs/argon2')
      return { url: 'test:cheap-argon2', format: 'module', shortCircuit: true }
    const isReal = specifier === '@node-rs/argon2?real'
    return isReal
      ? next('@node-rs/argon2', { ...context, parentURL: import.meta.url })
      : next(specifier, context)
  },
  load: (url, context, next) =>
    url === 'test:cheap-argon2'
      ? { format: 'module', source: CHEAP, shortCircuit: true }
      : next(url, context),
})

setFlagsFromString('--expose-gc')
const gc: (how: object) => void = runInNewContext('gc')
/**
 * As V8 does it when memory runs out. The ordinary full collection leaves alone what it hopes to use again, compiled code
 * and half-empty pages, and that hope grows with the time: 237 MB where 170 are kept.
 */
const collect = () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })

process.on('SIGUSR2', () => {
  collect()
  // What was waiting to be finalised is gone at the second time.
  setImmediate(() => {
    collect()
    process.stdout.write(`settled ${JSON.stringify(process.memoryUsage())}\n`)
  })
})
