import type { Random } from '#test/random.ts'
import { firstNames, lastNames, mailHosts } from './names.ts'
import { idAt, type Timeline, timeOf } from './timeline.ts'

export type SellerRow = ReturnType<typeof generateSellers>[number]

const HOUR_MS = 3600 * 1000

/** Sellers in the order of their registration, all with the same password. */
export function generateSellers(
  count: number,
  { random, timeline, passwordHash }: { random: Random; timeline: Timeline; passwordHash: string },
) {
  return Array.from({ length: count }, (_, index) => {
    // Before the first submission.
    const at = timeOf(timeline, index, count, random) - HOUR_MS
    const [firstName, lastName] = [random.pick(firstNames), random.pick(lastNames)]
    const username = `${firstName}.${lastName}${index + 1}`.toLowerCase()
    return {
      id: idAt(at, random),
      username,
      email: `${username}@${random.pick(mailHosts)}`,
      passwordHash,
      firstName,
      lastName,
      phoneNumber: random.chance(0.3) ? `+1 555 ${random.digits(3)} ${random.digits(4)}` : null,
      verified: random.chance(0.4),
      lastVisit: new Date(Math.min(timeline.until, at + random.number() * (timeline.until - at))),
      createdAt: new Date(at),
    }
  })
}
