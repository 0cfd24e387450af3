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
 * Serves /metrics at a separate address, which only the operator can reach.
 *
 * @throws {ListenError}
 */
export async function listenForMetrics(
  metrics: Metrics,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return end(response, 404, 'The metrics are at /metrics\n')
    if (request.method !== 'GET') return end(response, 405, 'Use GET\n')
    metrics.read().then(
      (text) => end(response, 200, text, metrics.contentType),
      () => end(response, 500, 'Cannot read the metrics\n'),
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
