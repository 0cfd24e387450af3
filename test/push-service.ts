import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  randomBytes,
  verify,
} from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A push, as the browser that it is for decrypts it. */
export interface ReceivedPush {
  readonly payload: { title: string; body: string; tag: string; lang: string; path: string }
  readonly headers: { readonly ttl: string; readonly urgency: string; readonly topic: string }
  /** The contact address that the push service was given. */
  readonly subject: string
}

/** A push service with its browsers: takes pushes over http, checks who signed them and decrypts them. */
export class PushService {
  readonly origin: string
  readonly close: () => Promise<void>
  /** The status of the next answers. Then 201 again. */
  readonly answers: number[] = []
  readonly #received = new Map<string, ReceivedPush[]>()
  readonly #browsers = new Map<string, { keys: ECDH; auth: Buffer; publicKey: string }>()

  private constructor(origin: string, close: () => Promise<void>) {
    this.origin = origin
    this.close = close
  }

  static async start(): Promise<PushService> {
    let service: PushService | undefined
    const server = createServer(async (request, response) => {
      const status = service?.answers.shift() ?? 201
      const body = await buffer(request)
      if (status === 201) service?.take(request.url ?? '', request.headers as Record<string, string>, body)
      response.writeHead(status, status === 307 ? { location: '/elsewhere' } : {}).end('x'.repeat(100))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    service = new PushService(origin, async () => {
      server.closeAllConnections()
      server.close()
    })
    return service
  }

  /** A new browser. @param publicKey the site's, which has to sign its pushes */
  subscription(publicKey: string): { endpoint: string; keys: { p256dh: string; auth: string } } {
    const path = `/send/${randomBytes(8).toString('hex')}`
    const keys = createECDH('prime256v1')
    const p256dh = keys.generateKeys('base64url')
    const auth = randomBytes(16)
    this.#browsers.set(path, { keys, auth, publicKey })
    return { endpoint: `${this.origin}${path}`, keys: { p256dh, auth: auth.toString('base64url') } }
  }

  /** The pushes that a browser has got, in order. They are forgotten after that. */
  takeOf({ endpoint }: { endpoint: string }): ReceivedPush[] {
    const path = new URL(endpoint).pathname
    const received = this.#received.get(path) ?? []
    this.#received.delete(path)
    return received
  }

  take(path: string, headers: Record<string, string>, body: Buffer): void {
    const browser = this.#browsers.get(path)
    if (!browser) throw new Error(`A push to ${path}, where there is no browser`)
    const { ttl = '', urgency = '', topic = '', authorization = '' } = headers
    const subject = signedBy(browser.publicKey, authorization, this.origin)
    const payload = JSON.parse(decrypt(body, browser).toString())
    const push = { payload, headers: { ttl, urgency, topic }, subject }
    this.#received.set(path, [...(this.#received.get(path) ?? []), push])
  }
}

/** Checks the signature (RFC 8292). @returns the contact address for the push service */
function signedBy(publicKey: string, authorization: string, origin: string): string {
  const [, token = '', key] = /^vapid t=([^,]+), ?k=(.+)$/.exec(authorization) ?? []
  if (key !== publicKey) throw new Error('The push is signed with another key')
  const [head = '', claims = '', signature = ''] = token.split('.')
  const raw = Buffer.from(publicKey, 'base64url')
  const [x, y] = [raw.subarray(1, 33), raw.subarray(33)].map((part) => part.toString('base64url'))
  const jwk = { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }
  const valid = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  if (!valid) throw new Error('The signature of the push is not valid')
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const left = exp - Date.now() / 1000
  if (aud !== origin || left < 0 || left > 24 * 3600) throw new Error('The claims of the push are not valid')
  return sub
}

/** Decrypts aes128gcm (RFC 8188) with the keys of a subscription (RFC 8291). */
function decrypt(body: Buffer, { keys, auth }: { keys: ECDH; auth: Buffer }): Buffer {
  const salt = body.subarray(0, 16)
  const idLength = body[20] ?? 0
  const sender = body.subarray(21, 21 + idLength)
  const sealed = body.subarray(21 + idLength)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), keys.getPublicKey(), sender])
  const secret = Buffer.from(hkdfSync('sha256', keys.computeSecret(sender), auth, info, 32))
  const derive = (name: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from(`Content-Encoding: ${name}\0`), length))
  const cipher = createDecipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  cipher.setAuthTag(sealed.subarray(-16))
  const plain = Buffer.concat([cipher.update(sealed.subarray(0, -16)), cipher.final()])
  return plain.subarray(0, plain.lastIndexOf(2))
}
