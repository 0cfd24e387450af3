import { and, asc, eq, isNull } from 'drizzle-orm'
import type { Role } from '#domain/roles.ts'
import type { Context } from '#server/context.ts'
import { invalid } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { administrators } from '#server/platform/database/schema.ts'

const { id, username, role } = administrators

/** The administrators who may get work, by name. */
export async function listColleagues({ db }: Context) {
  return await db
    .select({ id, username, role })
    .from(administrators)
    .where(isNull(administrators.disabledAt))
    .orderBy(asc(username))
}

/** Locks an administrator against being disabled or changing role. Refuses one who is disabled or whose role lacks the right. */
export async function lockColleague(tx: Transaction, assignee: string, mayTake: (role: Role) => boolean) {
  const [found] = await tx
    .select({ id, username, role })
    .from(administrators)
    .where(and(eq(id, assignee), isNull(administrators.disabledAt)))
    .for('share')
  if (found && mayTake(found.role)) return found
  throw invalid([{ path: 'assignedTo', code: 'assignee_unavailable' }])
}
