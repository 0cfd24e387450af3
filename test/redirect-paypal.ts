import { paypalHosts } from '#server/platform/payout-provider/paypal.ts'

/** Imported into a server process before its program: what it sends to PayPal's sandbox goes to the emulator of a test. */

const { fetch: send } = globalThis
globalThis.fetch = (url, init) =>
  send(String(url).replace(paypalHosts.sandbox, process.env.PAYPAL_EMULATOR ?? ''), init)
