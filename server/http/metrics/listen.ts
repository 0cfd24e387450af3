import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { explainListenError } from '#server/platform/listening.ts'
import type { Metrics } from './metrics.ts'

export interface Listening {
  readonly port: number
  readonly close: () => Promise<void>
}

/**
 * Serves /metrics at an address of its own, which is the operator's and nobody else's.
 *
 * @throws {ListenError} when there is no listening at that address.
 */
export async function listenForMetrics(
  metrics: Metrics,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return end(response, 404, 'There is /metrics here and nothing else\n')
    if (request.method !== 'GET') return end(response, 405, 'It can only be read\n')
    metrics.read().then(
      (text) => end(response, 200, text, metrics.contentType),
      () => end(response, 500, 'The metrics could not be read\n'),
    )
  })
  server.listen(port, host)
  await explainListenError({ host: 'METRICS_HOST', port: 'METRICS_PORT' }, once(server, 'listening'))
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function end(response: ServerResponse, status: number, text: string, type = 'text/plain'): void {
  response.writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff' }).end(text)
}
