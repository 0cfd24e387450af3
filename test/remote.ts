import { Agent, request } from 'node:http'
import type { InjectOptions } from 'fastify'
import type { Server } from './person.ts'

/**
 * A server that listens on `url`, for people who call it over the network: `new Person(remote(url))`. Connections
 * are kept open, as a browser does. Rejects when the connection breaks before the whole answer is there.
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
    const asked = request(path, { agent, method: options.method ?? 'GET', headers }, (answer) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', reject)
      answer.on('end', () => {
        const rawPayload = Buffer.concat(chunks)
        resolve({
          statusCode: answer.statusCode ?? 0,
          headers: answer.headers,
          cookies: (answer.headers['set-cookie'] ?? []).map(cookieIn),
          body: rawPayload.toString(),
          rawPayload,
        })
      })
    })
    asked.on('error', reject)
    asked.end(payload)
  })
}

function encode(payload: InjectOptions['payload']): Buffer | undefined {
  if (payload === undefined) return undefined
  return Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload))
}

/** A cookie that is taken away has a date in the past and no value. */
function cookieIn(header: string): { name: string; value: string } {
  const [pair = ''] = header.split(';')
  const at = pair.indexOf('=')
  return { name: pair.slice(0, at), value: decodeURIComponent(pair.slice(at + 1)) }
}
