import { registerHooks } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

// Loaded into the server the fuzzer attacks. Makes password hashing as cheap as argon2 allows, because it would take half
// of the time, and collects all garbage on a signal, so the measured memory is what is kept.

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
 * What V8 does when memory runs out. The ordinary full collection keeps compiled code and half-empty pages for reuse:
 * 237 MB instead of 170.
 */
const collect = () => gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })

process.on('SIGUSR2', () => {
  collect()
  // The second collection removes what the first one finalized.
  setImmediate(() => {
    collect()
    process.stdout.write(`settled ${JSON.stringify(process.memoryUsage())}\n`)
  })
})
