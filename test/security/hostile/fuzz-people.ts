import { randomUUID } from 'node:crypto'
import { encodeMultipart } from '#test/multipart.ts'
import { ADMIN_PASSWORD, newSeller } from '#test/people.ts'
import type { Random } from '#test/random.ts'
import { LiveClient } from '#test/socket.ts'
import { submissionParts } from '#test/submissions.ts'
import { type FuzzAnswer, sendFuzz } from './fuzz-client.ts'
import { newAccountCanary, newCanary } from './generate.ts'
import type { LeakWatch } from './leak-watch.ts'

export type Role = 'visitor' | 'seller' | 'staff'

interface Tools {
  readonly url: string
  readonly random: Random
  readonly watch: LeakWatch
  readonly photo: Buffer
  readonly learn: (answer: FuzzAnswer) => void
}

/** The people who send the fuzzer's requests: signed in, with data the others could leak, and listening for live messages. */
export class FuzzPeople {
  readonly cookies: Record<Role, string> = { visitor: '', seller: '', staff: '' }
  /** Id of a submission with canaries in its numbers. */
  lastCard = ''
  readonly #tools: Tools
  readonly #live = new Map<Role, LiveClient>()

  constructor(tools: Tools) {
    this.#tools = tools
  }

  async signIn(role: 'seller' | 'staff'): Promise<void> {
    const { url, random } = this.#tools
    const answer =
      role === 'staff'
        ? await this.post('/api/admin/login', { username: 'admin', password: ADMIN_PASSWORD })
        : await this.post('/api/auth/register', { ...newSeller(), password: newCanary(random) })
    const cookie = answer.cookies.map((set) => set.split(';', 1)[0]).join('; ')
    this.cookies[role] = cookie
    if (role === 'seller') await this.#addData(cookie)
    this.#keepFrames(role)
    this.#live.set(role, await LiveClient.open(url, { cookie, origin: url }))
  }

  /** Signs in again if a request has ended the session. */
  async ensureSignedIn(role: Role): Promise<void> {
    if (role === 'visitor') return
    const path = role === 'seller' ? '/api/auth/me' : '/api/admin/me'
    const request = { method: 'GET', path, headers: {}, body: undefined }
    const me = await sendFuzz(this.#tools.url, request, this.cookies[role])
    if (me.status === 401) await this.signIn(role)
  }

  /** Messages of the live channels since the last call. */
  framesSoFar(): string {
    for (const role of this.#live.keys()) this.#keepFrames(role)
    return this.#frames.splice(0).join('\n')
  }
  readonly #frames: string[] = []

  leave(): void {
    for (const client of this.#live.values()) client.close()
  }

  async post(path: string, body: object, cookie = ''): Promise<FuzzAnswer> {
    const headers = { 'content-type': 'application/json' }
    const request = { method: 'POST', path, headers, body: Buffer.from(JSON.stringify(body)) }
    const answer = await sendFuzz(this.#tools.url, request, cookie)
    this.#tools.watch.noteCookies(answer.cookies)
    return answer
  }

  #keepFrames(role: Role): void {
    this.#frames.push(JSON.stringify(this.#live.get(role)?.messages.splice(0) ?? []))
  }

  async #addData(cookie: string): Promise<void> {
    const secret = () => newCanary(this.#tools.random)
    const bank = { type: 'bank_transfer', accountName: 'Sally' }
    await this.post(
      '/api/payment-methods',
      { ...bank, routingNumber: '021000021', accountNumber: newAccountCanary(this.#tools.random) },
      cookie,
    )
    const from = { firstName: 'A', lastName: 'B', email: 'a@example.com', subject: 'S' }
    await this.post('/api/contact', { ...from, message: 'A message that is long enough' })
    for (let i = 0; i < 2; i++) await this.#submit(cookie, secret)
  }

  async #submit(cookie: string, secret: () => string): Promise<void> {
    const { url, photo, learn } = this.#tools
    const fields = {
      // Not in the catalog, so fuzzed brand rates do not change its quote.
      brand: 'corner_shop',
      sellingPrice: '85.00',
      discountPercentage: '15.00',
      cardNumber: secret(),
      securityCode: secret(),
      paymentType: 'bank_transfer',
      paymentRoutingNumber: '021000021',
      paymentAccountNumber: newAccountCanary(this.#tools.random),
    }
    const { payload, contentType } = encodeMultipart(submissionParts(fields, [photo]))
    const headers = { 'content-type': contentType, 'idempotency-key': randomUUID() }
    const request = { method: 'POST', path: '/api/gift-cards', headers, body: payload }
    const answer = await sendFuzz(url, request, cookie)
    if (answer.status === 503) return this.#submit(cookie, secret)
    if (answer.status !== 201) throw new Error(`The first submission failed: ${answer.bytes}`)
    learn(answer)
    this.lastCard = JSON.parse(answer.bytes.toString()).giftCard.id
  }
}
