import { and, desc, eq, getTableColumns, inArray, isNull, ne, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { v7 as uuidv7 } from 'uuid'
import type { AuditAction } from '#contract/audit.ts'
import type { PolicyAnswer, PolicyForm, PolicyVersionAnswer } from '#contract/policies.ts'
import type { PolicyMode } from '#domain/policy.ts'
import { rolesThatMay } from '#domain/roles.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { invalid, notFound, Refusal } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { administrators, installation, policies } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { findPolicy, isNewest, lockPolicies, type PolicyRow } from './queries.ts'

/** Maximum versions that are listed. */
const MAX_LISTED = 200

/** The policies, oldest first, with what they approved today in the shop's time zone. */
export async function listPolicies({
  db,
}: Context): Promise<{ stoppedAt: Date | null; policies: PolicyAnswer[] }> {
  const [stoppedAt, found, { rows: approved }] = await Promise.all([
    findPolicyStop(db),
    selectVersions(db).where(isNewest).orderBy(policies.id),
    db.execute<{ id: string; price: number }>(sql`
      select policy_id as id, sum(price)::float8 as price from policy_decisions
      where outcome = 'approved' and at >= date_trunc('day', now()) group by policy_id`),
  ])
  const shopToday = approved.reduce((sum, { price }) => sum + price, 0)
  const approvedBy = new Map(approved.map(({ id, price }) => [id, price]))
  const withToday = (one: (typeof found)[number]) => ({
    ...one,
    approvedToday: approvedBy.get(one.id) ?? 0,
    shopToday,
  })
  return { stoppedAt: stoppedAt ?? null, policies: found.map(withToday) }
}

export async function listVersions({ db }: Context, id: string): Promise<PolicyVersionAnswer[]> {
  const found = await selectVersions(db)
    .where(eq(policies.id, id))
    .orderBy(desc(policies.version))
    .limit(MAX_LISTED)
  if (found.length === 0) throw notFound()
  return found
}

export async function addPolicy(
  context: Context,
  actor: Staff,
  form: PolicyForm,
): Promise<PolicyVersionAnswer> {
  await requireBrands(context, form)
  return transaction(context.db, (tx) =>
    insertVersion(tx, actor, 'policy.added', { ...form, id: uuidv7(), version: 1, writtenBy: actor.id }),
  )
}

/** Changes what a policy decides by. Decisions by the earlier version that have not committed yet are not made. */
export async function changePolicy(
  context: Context,
  actor: Staff,
  id: string,
  { version: seen, ...form }: PolicyForm & { version: number },
): Promise<PolicyVersionAnswer> {
  await requireBrands(context, form)
  return transaction(context.db, async (tx) => {
    const { version } = await lockVersion(tx, id, seen)
    return insertVersion(tx, actor, 'policy.changed', {
      ...form,
      ...{ id, version: version + 1, writtenBy: actor.id },
    })
  })
}

/** Turns a policy on or off. Needs another person than its author to turn it on, if somebody else may. */
export async function setMode(
  { db, site }: Context,
  actor: Staff,
  id: string,
  { mode, version: seen }: { mode: PolicyMode; version: number },
): Promise<PolicyVersionAnswer> {
  return transaction(db, async (tx) => {
    const { at: _, ...before } = await lockVersion(tx, id, seen)
    const isOwn = before.writtenBy === actor.id
    if (mode === 'on' && isOwn && (site.payouts.alwaysTwoPersons || (await hasSecondPerson(tx, actor)))) {
      throw new Refusal('second_person_needed', 'refusals.second_person_for_policy', {
        params: { name: actor.username },
      })
    }
    return insertVersion(tx, actor, 'policy.mode_changed', { ...before, mode, version: before.version + 1 })
  })
}

/** Stops all policies: a decision that has not committed yet is not made. Stopping twice keeps the first time. */
export async function stopPolicies({ db }: Context, actor: Staff): Promise<void> {
  await setStop(db, actor, 'policies.stopped')
}

export async function startPolicies({ db }: Context, actor: Staff): Promise<void> {
  await setStop(db, actor, 'policies.started')
}

async function setStop(
  db: Context['db'],
  actor: Staff,
  action: 'policies.stopped' | 'policies.started',
): Promise<void> {
  const stops = action === 'policies.stopped'
  await transaction(db, async (tx) => {
    const [here] = await tx.select().from(installation).for('update')
    // The server makes the row at its first start. Without it nothing would stop, and nobody would notice.
    if (!here) throw new Error('Policies cannot be stopped in a database that no server has used')
    if (stops === (here.policiesStoppedAt !== null)) return
    await tx.update(installation).set({ policiesStoppedAt: stops ? sql`now()` : null })
    await record(tx, { actor, action, subject: { kind: 'policies', id: 'all' } })
  })
}

/** Since when all policies are stopped. Undefined if they are not. */
export async function findPolicyStop(db: Executor): Promise<Date | undefined> {
  const [found] = await db.select({ stoppedAt: installation.policiesStoppedAt }).from(installation)
  return found?.stoppedAt ?? undefined
}

/** Whether all policies are stopped, which cannot change until the transaction ends. */
export async function arePoliciesStopped(tx: Transaction): Promise<boolean> {
  const [found] = await tx
    .select({ stoppedAt: installation.policiesStoppedAt })
    .from(installation)
    .where(eq(installation.single, true))
    .for('share')
  return Boolean(found?.stoppedAt)
}

/** Whether another active person may turn policies on. */
async function hasSecondPerson(tx: Transaction, { id }: Staff): Promise<boolean> {
  const isOther = and(
    ne(administrators.id, id),
    isNull(administrators.disabledAt),
    inArray(administrators.role, rolesThatMay('write_policies')),
  )
  return (await tx.$count(administrators, isOther)) > 0
}

/** The newest version, which stays the newest one until the transaction ends. Throws `policy_changed` if it is not the one that was seen. */
async function lockVersion(tx: Transaction, id: string, seen: number): Promise<PolicyRow> {
  await lockPolicies(tx)
  const policy = await findPolicy(tx, id)
  if (!policy) throw notFound()
  if (policy.version !== seen) {
    throw new Refusal('policy_changed', 'refusals.policy_changed', { params: { name: policy.name } })
  }
  return policy
}

async function insertVersion(
  tx: Transaction,
  actor: Staff,
  action: AuditAction,
  row: Omit<PolicyRow, 'at' | 'byId'>,
): Promise<PolicyVersionAnswer> {
  await tx.insert(policies).values({ ...row, byId: actor.id })
  const { id, name, version, mode } = row
  await record(tx, { actor, action, subject: { kind: 'policy', id }, details: { name, version, mode } })
  return onlyRow(await selectVersions(tx).where(and(eq(policies.id, id), eq(policies.version, version))))
}

async function requireBrands({ catalog }: Context, { brands }: Pick<PolicyForm, 'brands'>): Promise<void> {
  const known = new Set((await catalog.current()).brands.map(({ value }) => value))
  if (!brands.every((slug) => known.has(slug))) throw invalid([{ path: 'brands', code: 'brand_invalid' }])
}

const author = alias(administrators, 'author')

function selectVersions(db: Executor) {
  return db
    .select({ ...getTableColumns(policies), by: administrators.username, writtenBy: author.username })
    .from(policies)
    .innerJoin(administrators, eq(administrators.id, policies.byId))
    .innerJoin(author, eq(author.id, policies.writtenBy))
}
