import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { Person, TestAnswer } from './person.ts'

/** Where the server of the tests runs (`publicUrl` of test/app.ts). */
const HOST = 'localhost'
const ORIGIN = 'http://localhost'

const USER_PRESENT = 0x01
const USER_VERIFIED = 0x04
const HAS_CREDENTIAL = 0x40

/** What differs from an honest answer. */
interface Deviation {
  readonly origin?: string
  readonly host?: string
  readonly challenge?: string
  readonly type?: string
  readonly verified?: boolean
  readonly userHandle?: string
  /** Signs with another key. */
  readonly privateKey?: KeyObject
  readonly attestation?: Attestation
}

/** A statement about the device, with its certificates in DER. `packed` without certificates is signed by the passkey. */
interface Attestation {
  readonly format: string
  readonly certificates?: readonly Buffer[]
}

/** A software authenticator with one passkey, as https://www.w3.org/TR/webauthn-3/#sctn-authenticator-model describes it. */
export class PasskeyDevice {
  readonly id = randomBytes(16)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  #userHandle = ''
  counter = 0
  /** Whether the counter grows. Passkeys of phones stay at 0. */
  readonly counts: boolean

  constructor({ counts = true } = {}) {
    this.counts = counts
  }

  /** Makes the passkey from the options of a registration. */
  create(options: { challenge: string; user: { id: string } }, deviation: Deviation = {}) {
    this.#userHandle = options.user.id
    const { x = '', y = '' } = this.#keys.publicKey.export({ format: 'jwk' })
    const key = cborMap([
      [cborInt(1), cborInt(2)],
      [cborInt(3), cborInt(-7)],
      [cborInt(-1), cborInt(1)],
      [cborInt(-2), cborBytes(Buffer.from(x, 'base64url'))],
      [cborInt(-3), cborBytes(Buffer.from(y, 'base64url'))],
    ])
    const credential = Buffer.concat([Buffer.alloc(16), uint(2, this.id.length), this.id, key])
    const authenticatorData = this.#authenticatorData(deviation, HAS_CREDENTIAL, credential)
    const clientDataJSON = clientData('webauthn.create', options.challenge, deviation)
    const { format, certificates } = deviation.attestation ?? { format: 'none' }
    const statement: [Buffer, Buffer][] = [
      [cborText('alg'), cborInt(-7)],
      [cborText('sig'), cborBytes(this.#sign(authenticatorData, clientDataJSON))],
      ...(certificates
        ? [[cborText('x5c'), cborArray(certificates.map(cborBytes))] as [Buffer, Buffer]]
        : []),
    ]
    const attestationObject = cborMap([
      [cborText('fmt'), cborText(format)],
      [cborText('attStmt'), cborMap(format === 'none' ? [] : statement)],
      [cborText('authData'), cborBytes(authenticatorData)],
    ])
    return this.#credential({
      clientDataJSON,
      attestationObject: attestationObject.toString('base64url'),
      transports: ['internal'],
    })
  }

  /** Signs a challenge. */
  get(options: { challenge: string }, deviation: Deviation = {}) {
    if (this.counts) this.counter += 1
    const authenticatorData = this.#authenticatorData(deviation)
    const clientDataJSON = clientData('webauthn.get', options.challenge, deviation)
    return this.#credential({
      clientDataJSON,
      authenticatorData: authenticatorData.toString('base64url'),
      signature: this.#sign(authenticatorData, clientDataJSON, deviation.privateKey).toString('base64url'),
      userHandle: deviation.userHandle ?? this.#userHandle,
    })
  }

  #sign(authenticatorData: Buffer, clientDataJSON: string, key = this.#keys.privateKey): Buffer {
    const hash = createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest()
    return sign('sha256', Buffer.concat([authenticatorData, hash]), key)
  }

  #authenticatorData({ host = HOST, verified = true }: Deviation, flags = 0, rest = Buffer.alloc(0)): Buffer {
    const all = USER_PRESENT | (verified ? USER_VERIFIED : 0) | flags
    const hash = createHash('sha256').update(host).digest()
    return Buffer.concat([hash, Buffer.from([all]), uint(4, this.counter), rest])
  }

  #credential<Response>(response: Response) {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }
}

function clientData(type: string, challenge: string, deviation: Deviation): string {
  const data = { type, challenge, origin: ORIGIN, crossOrigin: false, ...pick(deviation) }
  return Buffer.from(JSON.stringify(data)).toString('base64url')
}

const pick = ({ origin, challenge, type }: Deviation) => ({
  ...(origin && { origin }),
  ...(challenge && { challenge }),
  ...(type && { type }),
})

// The part of CBOR that is needed: https://www.rfc-editor.org/rfc/rfc8949#section-3

function cborHead(major: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(major << 5) | value])
  if (value < 256) return Buffer.from([(major << 5) | 24, value])
  return Buffer.from([(major << 5) | 25, value >> 8, value & 255])
}
const cborInt = (value: number) => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value))
const cborBytes = (bytes: Buffer) => Buffer.concat([cborHead(2, bytes.length), bytes])
const cborText = (text: string) => Buffer.concat([cborHead(3, text.length), Buffer.from(text)])
const cborArray = (items: readonly Buffer[]) => Buffer.concat([cborHead(4, items.length), ...items])
const cborMap = (entries: [Buffer, Buffer][]) =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flat()])

function uint(bytes: number, value: number): Buffer {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}

/** The routes of one side. */
export const passkeyPaths = {
  seller: { own: '/api/user/passkeys', signIn: '/api/auth/passkeys' },
  staff: { own: '/api/admin/passkeys', signIn: '/api/admin/passkeys' },
} as const
type Side = keyof typeof passkeyPaths

/** Adds a passkey of a new device to a signed-in person. */
export async function addPasskey(
  person: Person,
  side: Side,
  password: string,
  device = new PasskeyDevice(),
): Promise<{ device: PasskeyDevice; answer: TestAnswer }> {
  const { own } = passkeyPaths[side]
  const options = await person.post(`${own}/registration`, { password })
  if (options.status !== 200) throw new Error(`The registration answered ${options.status}: ${options.text}`)
  return { device, answer: await person.post(own, device.create(options.json), { 'user-agent': IPHONE }) }
}

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'

/** Signs in with a device. */
export async function signInWith(
  device: PasskeyDevice,
  browser: Person,
  side: Side,
  deviation?: Deviation,
): Promise<TestAnswer> {
  const { signIn } = passkeyPaths[side]
  const options = await browser.post(`${signIn}/options`)
  return browser.post(`${signIn}/verify`, device.get(options.json, deviation))
}
