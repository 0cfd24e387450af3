import type { Random } from '#test/random.ts'

type Change = (bytes: Buffer, random: Random) => Buffer

const INTERESTING = [0, 1, 0x7f, 0x80, 0xff, 0xd8, 0xd9, 0x2a]

/** Changes that tend to break decoders: flipped bits, absurd lengths, and parts removed, repeated or inserted. */
const changes: readonly Change[] = [
  (bytes, random) => {
    const at = random.below(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
    return bytes
  },
  (bytes, random) => {
    bytes[random.below(bytes.length)] = random.pick(INTERESTING)
    return bytes
  },
  (bytes, random) => {
    const at = random.below(Math.max(1, bytes.length - 4))
    const value = random.pick([0, 1, 0x7fff_ffff, 0xffff_ffff, 0x8000_0000, 0xffff, 65_500, bytes.length])
    if (at + 4 <= bytes.length) bytes.writeUInt32BE(value, at)
    return bytes
  },
  // Sizes, counts and offsets are in the header.
  (bytes, random) => {
    const head = Math.min(bytes.length, 600)
    for (let i = 0; i < 3; i++) bytes[random.below(head)] = random.below(256)
    return bytes
  },
  (bytes, random) => bytes.subarray(0, random.below(bytes.length)),
  (bytes, random) => {
    const [from, length] = [random.below(bytes.length), random.below(64)]
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(from + length)])
  },
  (bytes, random) => {
    const [from, length] = [random.below(bytes.length), random.below(400)]
    return Buffer.concat([bytes.subarray(0, from + length), bytes.subarray(from)])
  },
  (bytes, random) => {
    const noise = Buffer.from(Array.from({ length: random.below(64) }, () => random.below(256)))
    const at = random.below(bytes.length)
    return Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at)])
  },
  (bytes, random) => {
    for (let i = 0; i < bytes.length / 50; i++) bytes[random.below(bytes.length)] = random.below(256)
    return bytes
  },
]

/** The file with one to four changes. Mostly keeps the first bytes, which name its format. */
export function mutated(file: Buffer, random: Random): Buffer {
  const keptHead = file.subarray(0, 12)
  let bytes: Buffer = Buffer.from(file)
  for (let times = 1 + random.below(4); times > 0 && bytes.length > 16; times--) {
    bytes = random.pick(changes)(bytes, random)
  }
  if (random.chance(0.9) && bytes.length > keptHead.length) {
    bytes = Buffer.from(bytes)
    keptHead.copy(bytes)
  }
  return bytes
}
