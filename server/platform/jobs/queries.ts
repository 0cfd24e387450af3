import { and, desc, eq, isNotNull, sql } from 'drizzle-orm'
import type { Database, Transaction } from '#server/platform/database/pool.ts'
import { jobs } from '#server/platform/database/schema.ts'
import type { JobKind } from './jobs.ts'

export interface ClaimedJob {
  readonly id: string
  readonly kind: JobKind
  readonly key: string
  readonly payload: Record<string, unknown>
  readonly attempts: number
}

/**
 * Takes the next due job for some seconds; two workers never get the same one. Whoever dies with it simply
 * lets the lease run out, and the next worker takes it.
 * @param done the job that this worker has just finished: noted in the same statement
 */
export async function claimJob(
  db: Database,
  leaseSeconds: number,
  done: string | undefined,
): Promise<ClaimedJob | undefined> {
  const finished = done ?? null
  const { rows } = await db.execute<ClaimedJob & Record<string, unknown>>(sql`
    with done as (update jobs set done_at = now(), last_error = null where id = ${finished}::uuid)
    update jobs set attempts = attempts + 1, run_at = now() + make_interval(secs => ${leaseSeconds})
    where id = (
      select id from jobs
      where done_at is null and failed_at is null and run_at <= now() and id is distinct from ${finished}::uuid
      order by run_at limit 1 for update skip locked
    )
    returning id, kind, key, payload, attempts`)
  return rows[0]
}

export async function markDone(db: Database, id: string): Promise<void> {
  await db.update(jobs).set({ doneAt: sql`now()`, lastError: null }).where(eq(jobs.id, id))
}

/** Puts a job off, or gives it up for good when there is no next time. */
export async function markFailed(
  db: Database,
  id: string,
  { error, retryInSeconds }: { error: string; retryInSeconds: number | undefined },
): Promise<void> {
  const next =
    retryInSeconds === undefined
      ? { failedAt: sql`now()` }
      : { runAt: sql`now() + make_interval(secs => ${retryInSeconds})` }
  await db
    .update(jobs)
    .set({ lastError: error, ...next })
    .where(eq(jobs.id, id))
}

/** How many jobs are to be done, for how many seconds the oldest of them has been due, and how many were given up. */
export async function countJobs(
  db: Database,
): Promise<{ waiting: number; lateSeconds: number; givenUp: number }> {
  const { rows } = await db.execute<{ waiting: number; late: number; given_up: number }>(sql`
    select count(*)::int as waiting,
      coalesce(greatest(extract(epoch from now() - min(run_at)), 0), 0)::float8 as late,
      (select count(*) from jobs where failed_at is not null)::int as given_up
    from jobs where done_at is null and failed_at is null`)
  const [row] = rows
  return { waiting: row?.waiting ?? 0, lateSeconds: row?.late ?? 0, givenUp: row?.given_up ?? 0 }
}

/** Jobs that were given up, the newest first, and how many there are. */
export async function listGivenUp(db: Database, limit: number) {
  const found = await db
    .select({
      id: jobs.id,
      kind: jobs.kind,
      payload: jobs.payload,
      failedAt: sql<Date>`${jobs.failedAt}`.mapWith(jobs.failedAt),
      attempts: jobs.attempts,
      lastError: jobs.lastError,
    })
    .from(jobs)
    .where(isNotNull(jobs.failedAt))
    .orderBy(desc(jobs.failedAt))
    .limit(limit)
  return { jobs: found, total: await db.$count(jobs, isNotNull(jobs.failedAt)) }
}

/** Makes a job that was given up, or all of them, due now, with all tries. @returns how many */
export async function restart(tx: Transaction, id: string | undefined): Promise<number> {
  const restarted = await tx
    .update(jobs)
    .set({ failedAt: null, attempts: 0, runAt: sql`now()` })
    .where(and(isNotNull(jobs.failedAt), id === undefined ? undefined : eq(jobs.id, id)))
    .returning({ id: jobs.id })
  return restarted.length
}

/** Done jobs are kept for a month to look things up. */
export async function deleteOldJobs(db: Database): Promise<void> {
  await db.execute(sql`delete from jobs where done_at < now() - interval '30 days'`)
}
