import { and, eq, gt, isNull, lte, ne, or, sql } from 'drizzle-orm'
import { ANSWERING_SECONDS } from '#domain/chat.ts'
import type { Executor } from '#server/database/pool.ts'
import { administrators, chatThreads } from '#server/database/schema.ts'
import { nobodyAnswers } from './thread-queries.ts'

/** Takes or prolongs the lease on a thread, unless another member of staff holds it. */
export async function takeAnswering(db: Executor, threadId: string, staffId: string): Promise<void> {
  await db
    .update(chatThreads)
    .set({ answeringBy: staffId, answeringUntil: sql`now() + make_interval(secs => ${ANSWERING_SECONDS})` })
    .where(
      and(
        eq(chatThreads.id, threadId),
        or(
          isNull(chatThreads.answeringBy),
          eq(chatThreads.answeringBy, staffId),
          lte(chatThreads.answeringUntil, sql`now()`),
        ),
      ),
    )
}

export async function endAnswering(db: Executor, threadId: string, staffId: string): Promise<void> {
  await db
    .update(chatThreads)
    .set(nobodyAnswers)
    .where(and(eq(chatThreads.id, threadId), eq(chatThreads.answeringBy, staffId)))
}

/** The name of another member of staff who holds the lease. */
export async function findAnswering(db: Executor, threadId: string, staffId: string) {
  const [row] = await db
    .select({ username: administrators.username })
    .from(chatThreads)
    .innerJoin(administrators, eq(administrators.id, chatThreads.answeringBy))
    .where(
      and(
        eq(chatThreads.id, threadId),
        ne(chatThreads.answeringBy, staffId),
        gt(chatThreads.answeringUntil, sql`now()`),
      ),
    )
  return row?.username
}
