import type { users } from '#server/platform/database/schema.ts'
import type { Random } from '#test/random.ts'
import { firstNames, lastNames, mailHosts } from './names.ts'
import { idAt, type Timeline, timeOf } from './timeline.ts'

export type UserRow = typeof users.$inferInsert

export interface GeneratedSeller {
  readonly id: string
  readonly name: string
  readonly username: string
  readonly email: string
}

const HOUR_MS = 3600 * 1000

/** Sellers in the order of their registration, all with the same password. */
export function* generateUsers(
  count: number,
  { random, timeline, passwordHash }: { random: Random; timeline: Timeline; passwordHash: string },
): Generator<UserRow> {
  for (let index = 0; index < count; index++) {
    // Before the first submission.
    const at = timeOf(timeline, index, count, random) - HOUR_MS
    const [firstName, lastName] = [random.pick(firstNames), random.pick(lastNames)]
    const username = `${firstName}.${lastName}${index + 1}`.toLowerCase()
    yield {
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
  }
}
