import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterwards } from './afterwards.ts'

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly attributes: readonly { key: string; value: Record<string, unknown> }[]
  readonly status: { readonly code: number }
}

/** A collector of OpenTelemetry that takes spans as OTLP over HTTP in JSON. */
export class OtlpCollector {
  readonly url: string
  /** The bodies of requests that it answered with 200. */
  readonly bodies: string[] = []
  readonly headers: Record<string, unknown>[] = []
  /** Requests wait for an answer. */
  isHanging = false

  private constructor(url: string) {
    this.url = url
  }

  static async start(): Promise<OtlpCollector> {
    let collector: OtlpCollector | undefined
    const server = createServer(async (request, response) => {
      const body = await text(request)
      if (!collector || request.url !== '/v1/traces') return void response.writeHead(404).end()
      if (collector.isHanging) return
      collector.bodies.push(body)
      collector.headers.push(request.headers)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    collector = new OtlpCollector(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    afterwards(async () => {
      server.closeAllConnections()
      server.close()
    })
    return collector
  }

  get spans(): ReceivedSpan[] {
    return this.bodies.flatMap((body) =>
      JSON.parse(body).resourceSpans.flatMap(({ scopeSpans }: { scopeSpans: { spans: ReceivedSpan[] }[] }) =>
        scopeSpans.flatMap(({ spans }) => spans),
      ),
    )
  }
}
