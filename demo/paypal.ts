import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PaypalEmulator } from '#test/paypal.ts'

/** PayPal's emulator for `./unspent demo --instant`, in the server's process. Its batches are kept in the demo's folder. */

const file = join(process.env.DATA_DIR ?? '', 'paypal.json')
const emulator = await PaypalEmulator.start()
try {
  emulator.batches.push(...JSON.parse(readFileSync(file, 'utf8')))
} catch {
  // The first start, or the process was killed while it wrote.
}
process.on('exit', () => writeFileSync(file, JSON.stringify(emulator.batches)))

process.env.PAYPAL_EMULATOR = emulator.url
await import('#test/redirect-paypal.ts')
