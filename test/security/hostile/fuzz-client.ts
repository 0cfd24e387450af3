import { Agent, request } from 'node:http'
import type { FuzzRequest } from './requests.ts'

export interface FuzzAnswer {
  readonly status: number
  readonly headers: string
  readonly cookies: readonly string[]
  readonly bytes: Buffer
}

const agent = new Agent({ keepAlive: true, maxSockets: 8 })

/** Sends the request unchanged over HTTP. Rejects if there is no answer. */
export function sendFuzz(
  url: string,
  { method, path, headers, body }: FuzzRequest,
  cookie: string,
): Promise<FuzzAnswer> {
  return new Promise((resolve, reject) => {
    const length = body ? { 'content-length': String(body.length) } : {}
    const sent = request(url + path, {
      agent,
      method,
      headers: { ...(cookie && { cookie }), ...headers, ...length },
    })
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.rawHeaders.join('\n'),
          cookies: response.headers['set-cookie'] ?? [],
          bytes: Buffer.concat(chunks),
        }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

export function closeFuzzClient(): void {
  agent.destroy()
}
