import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterwards } from './afterwards.ts'

export interface ReceivedWebhook {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field
  readonly json: any
}

/** A program that takes webhooks over http. */
export class WebhookReceiver {
  readonly url: string
  readonly received: ReceivedWebhook[] = []
  /** Answers 204 by default. A text is sent as JSON. `hang` keeps the sender waiting, `drip` in the middle of the answer. */
  answer: number | 'hang' | 'drip' | 'endless' | { readonly json: string } = 204

  private constructor(url: string) {
    this.url = url
  }

  static async start(): Promise<WebhookReceiver> {
    let receiver: WebhookReceiver | undefined
    const server = createServer(async (request, response) => {
      const { url: path = '', headers } = request
      const body = await text(request)
      receiver?.received.push({ path, headers, body, json: JSON.parse(body) })
      const answer = receiver?.answer ?? 500
      if (answer === 'hang') return
      if (typeof answer === 'object') {
        return void response.writeHead(200, { 'content-type': 'application/json' }).end(answer.json)
      }
      if (answer === 'drip') return void response.writeHead(200).write('{"status":')
      if (answer === 'endless') {
        response.on('error', () => undefined).writeHead(200)
        const more = () => void (response.destroyed || response.write('x'.repeat(65_536), more))
        return more()
      }
      response.writeHead(answer, answer === 302 ? { location: '/elsewhere' } : {}).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    receiver = new WebhookReceiver(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`)
    afterwards(async () => {
      server.closeAllConnections()
      server.close()
    })
    return receiver
  }

  types(): string[] {
    return this.received.map(({ json }) => json.type)
  }
}
