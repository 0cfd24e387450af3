import { createHmac } from 'node:crypto'

/** The code an authenticator app shows. A second implementation of RFC 6238, to check the server against. */
export function codeFrom(secret: string, { stepsAhead = 0 } = {}): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + stepsAhead))
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const number = digest.readUInt32BE(digest.readUInt8(19) % 16) % 2 ** 31
  return String(number % 1_000_000).padStart(6, '0')
}

export function fromBase32(text: string): Buffer {
  const values = [...text].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter))
  const bits = values.map((value) => value.toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
