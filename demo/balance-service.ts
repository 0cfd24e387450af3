import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * The balance service of the demo, which every Starbucks card is sent to. It runs in the process that imports it. Knows no secret:
 * its answers are invented, so anyone on this machine may have them.
 */

const PORT = 4801
/** So that a person who watches the confirmation sees the check. */
const DELAY_MS = 1_000

export const balanceServiceUrl = `http://127.0.0.1:${PORT}/`

/** Cards whose number ends in 0 are not found, and one that ends in 1 is almost empty. All others hold $100. */
const server = createServer(async (request, response) => {
  const question = (await json(request).catch(() => null)) as { data?: { number?: unknown } } | null
  const number = String(question?.data?.number ?? '0')
  const amount = number.endsWith('1') ? '4.50' : '100.00'
  const answer = number.endsWith('0') ? { status: 'not_found' } : { status: 'ok', amount }
  await sleep(DELAY_MS)
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
})
// The service of another demo on this machine has the port, and answers the same.
server.on('error', () => undefined)
server.listen(PORT, '127.0.0.1').unref()
