import type { InjectOptions } from 'fastify'
import { encodeMultipart, type Part } from './multipart.ts'

export interface TestAnswer {
  readonly status: number
  readonly headers: Record<string, string | string[] | number | undefined>
  readonly text: string
  readonly bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: tests read any field
  readonly json: any
}

/** The next or previous page in an answer's Link header. */
export function linked({ headers }: TestAnswer, rel: 'next' | 'prev' = 'next'): string {
  const address = new RegExp(`<(.+)>; rel="${rel}"`).exec(String(headers.link))?.[1]
  if (address === undefined) throw new Error(`The answer names no ${rel} page`)
  return address
}

/** The answer to a call. Throws if the server refused it. */
export async function accepted(call: Promise<TestAnswer>): Promise<TestAnswer> {
  const answer = await call
  if (answer.status >= 300) throw new Error(`The server answered ${answer.status}: ${answer.text}`)
  return answer
}

/** Answers requests: the app itself, or a running server (test/remote.ts). */
export interface Server {
  inject(options: InjectOptions): Promise<{
    readonly statusCode: number
    readonly headers: TestAnswer['headers']
    readonly cookies: readonly { name: string; value: string }[]
    readonly body: string
    readonly rawPayload: Buffer
  }>
}

/** A client of the server with its own cookies. */
export class Person {
  readonly #app: Server
  readonly cookies = new Map<string, string>()
  id = ''
  /** Of a registered seller. */
  email = ''

  constructor(app: Server) {
    this.#app = app
  }

  get(url: string, headers: Record<string, string> = {}): Promise<TestAnswer> {
    return this.send({ method: 'GET', url, headers })
  }

  post(url: string, body?: object, headers: Record<string, string> = {}): Promise<TestAnswer> {
    return this.send({ method: 'POST', url, headers, ...(body && { payload: body }) })
  }

  put(url: string, body: object): Promise<TestAnswer> {
    return this.send({ method: 'PUT', url, payload: body })
  }

  patch(url: string, body: object): Promise<TestAnswer> {
    return this.send({ method: 'PATCH', url, payload: body })
  }

  delete(url: string): Promise<TestAnswer> {
    return this.send({ method: 'DELETE', url })
  }

  upload(url: string, parts: readonly Part[], headers: Record<string, string> = {}): Promise<TestAnswer> {
    const { payload, contentType } = encodeMultipart(parts)
    return this.send({ method: 'POST', url, payload, headers: { 'content-type': contentType, ...headers } })
  }

  async send(options: InjectOptions): Promise<TestAnswer> {
    const cookie = this.cookieHeader
    const response = await this.#app.inject({
      ...options,
      headers: { ...(cookie && { cookie }), ...options.headers },
    })
    for (const { name, value } of response.cookies) {
      if (value) this.cookies.set(name, value)
      else this.cookies.delete(name)
    }
    return {
      status: response.statusCode,
      headers: response.headers,
      text: response.body,
      bytes: response.rawPayload,
      get json() {
        return JSON.parse(response.body)
      },
    }
  }

  /** The Cookie header a browser would send. */
  get cookieHeader(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }
}
