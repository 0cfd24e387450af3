import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'

/**
 * The balance service of the demo, which every Starbucks card is sent to. It runs in the process that imports it. Knows no secret:
 * its answers are invented, so anyone on this machine may have them.
 */

const PORT = 4801

export const balanceServiceUrl = `http://127.0.0.1:${PORT}/`

/** Cards whose number ends in 0 are not found. All others hold $100. */
const server = createServer(async (request, response) => {
  const question = (await json(request).catch(() => null)) as { data?: { number?: unknown } } | null
  const number = String(question?.data?.number ?? '0')
  const answer = number.endsWith('0') ? { status: 'not_found' } : { status: 'ok', amount: '100.00' }
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
})
// The service of another demo on this machine has the port, and answers the same.
server.on('error', () => undefined)
server.listen(PORT, '127.0.0.1').unref()
