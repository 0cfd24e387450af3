import { Agent, request } from 'node:http'
import type { InjectOptions } from 'fastify'
import type { Server } from './person.ts'

/**
 * A server at `url`, called over the network: `new Person(remote(url))`. Connections are kept open, as in a browser.
 * Rejects if a connection breaks before the whole response has arrived.
 */
export function remote(url: string): Server {
  const agent = new Agent({ keepAlive: true, maxSockets: 50 })
  return { inject: (options) => send(url, agent, options) }
}

async function send(url: string, agent: Agent, options: InjectOptions): ReturnType<Server['inject']> {
  const payload = encode(options.payload)
  const headers: Record<string, string> = {
    ...(payload && !Buffer.isBuffer(options.payload) && { 'content-type': 'application/json' }),
    ...(payload && { 'content-length': String(payload.length) }),
    ...(options.headers as Record<string, string>),
  }
  return new Promise((resolve, reject) => {
    const path = new URL(String(options.url), url)
    const sent = request(path, { agent, method: options.method ?? 'GET', headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const rawPayload = Buffer.concat(chunks)
        resolve({
          statusCode: response.statusCode ?? 0,
          headers: response.headers,
          cookies: (response.headers['set-cookie'] ?? []).map(cookieIn),
          body: rawPayload.toString(),
          rawPayload,
        })
      })
    })
    sent.on('error', reject)
    sent.end(payload)
  })
}

function encode(payload: InjectOptions['payload']): Buffer | undefined {
  if (payload === undefined) return undefined
  return Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload))
}

/** A removed cookie has an empty value. */
function cookieIn(header: string): { name: string; value: string } {
  const [pair = ''] = header.split(';')
  const equals = pair.indexOf('=')
  return { name: pair.slice(0, equals), value: decodeURIComponent(pair.slice(equals + 1)) }
}
