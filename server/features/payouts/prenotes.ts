import { setImmediate } from 'node:timers/promises'
import { and, desc, eq, isNotNull, ne, sql } from 'drizzle-orm'
import { type FileKind, MAX_BATCH } from '#domain/payout.ts'
import { referenceOf } from '#domain/reference.ts'
import type { Context } from '#server/context.ts'
import type { Batch } from '#server/features/books/payouts.ts'
import { openAccount, sealedAccount } from '#server/features/submissions/payout-effects.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { giftCards, payoutBatches, payouts, prenotes, users } from '#server/platform/database/schema.ts'
import { bankDayAfter } from './files/bank-days.ts'
import type { FilePayment } from './files/compose.ts'
import { TRACE_NUMBERS } from './files/nacha.ts'
import { groupPayouts, isOfGroups, type Site } from './queries.ts'

/** Prenotes: entries of zero dollars by which banks check accounts before their first ACH payment. */

/** Accounts opened before other requests get their turn: about 10 ms of work. */
const OPENED_AT_ONCE = 100

/** Banking days from the settlement of a prenote to the first payment. Source: NACHA Operating Rules, Subsection 2.6.2. */
export const WAITING_DAYS = 3

/** Whether payouts wait for prenotes that are in no file yet. */
export async function needsPrenotes(tx: Transaction, site: Site, fileKind: FileKind): Promise<boolean> {
  return fileKind === 'nacha' && (await findWaiting(tx, site)) !== undefined
}

/** The due payouts that wait only for a prenote. Undefined if there are none. */
async function findWaiting(tx: Transaction, site: Site) {
  if (!site.payouts.prenotes) return undefined
  const isDue = and(eq(payouts.state, 'due'), eq(payouts.paymentType, 'bank_transfer'))
  const groups = (await groupPayouts(tx, site, isDue)).filter(({ problem }) => problem === 'prenote_needed')
  return groups.length > 0 ? and(isDue, isOfGroups(site, groups)) : undefined
}

/** Adds the prenotes that are needed to a locked batch. @returns their entries */
export async function addPrenotes(
  tx: Transaction,
  { keys, site }: Context,
  { id: batchId, fileKind, count }: Batch,
): Promise<FilePayment[]> {
  if (fileKind !== 'nacha' || !site.payouts.prenotes) return []
  // If two batches are released at once, the second one sees the prenotes of the first.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('Unspent prenotes'))`)
  const isWaiting = await findWaiting(tx, site)
  if (!isWaiting) return []
  const rows = await tx
    .selectDistinctOn([giftCards.paymentAccountIndex, giftCards.paymentAccountType], {
      payoutId: payouts.id,
      sellerId: payouts.sellerId,
      paymentType: payouts.paymentType,
      accountIndex: sql<Buffer>`${giftCards.paymentAccountIndex}`,
      accountName: giftCards.paymentAccountName,
      accountType: giftCards.paymentAccountType,
      card: sealedAccount,
    })
    .from(payouts)
    .innerJoin(giftCards, eq(giftCards.id, payouts.giftCardId))
    .innerJoin(users, eq(users.id, payouts.sellerId))
    .where(isWaiting)
    .orderBy(giftCards.paymentAccountIndex, giftCards.paymentAccountType, payouts.number)
    .limit(MAX_BATCH[fileKind] - count)
  if (rows.length === 0) return []
  const { rows: numbers } = await tx.execute<{ payoutId: string; number: string }>(sql`
    insert into prenotes (id, number, account_index, account_type, payout_id, seller_id, batch_id)
    select gen_random_uuid(), nextval(pg_get_serial_sequence('payouts', 'number')),
      account_index, account_type, payout_id, seller_id, ${batchId}
    from unnest(
      ${sql.param(rows.map(({ accountIndex }) => accountIndex))}::bytea[],
      ${sql.param(rows.map(({ accountType }) => accountType))}::text[],
      ${sql.param(rows.map(({ payoutId }) => payoutId))}::uuid[],
      ${sql.param(rows.map(({ sellerId }) => sellerId))}::uuid[]
    ) as needed (account_index, account_type, payout_id, seller_id)
    returning payout_id as "payoutId", number`)
  const numberOf = new Map(numbers.map(({ payoutId, number }) => [payoutId, Number(number)]))
  const entries: FilePayment[] = []
  for (const { card, payoutId, paymentType, accountName, accountType } of rows) {
    entries.push({
      ...{ payoutId, paymentType, accountName, accountType, ...openAccount(keys, card) },
      position: count + entries.length + 1,
      payoutNumber: numberOf.get(payoutId) ?? 0,
      amount: 0,
      reference: referenceOf(card.id),
    })
    if (entries.length % OPENED_AT_ONCE === 0) await setImmediate()
  }
  return entries
}

/** Sets the day from which the accounts of an exported batch's prenotes can be paid. */
export async function startWaiting(tx: Transaction, batchId: string, settlesOn: string): Promise<void> {
  await tx
    .update(prenotes)
    .set({ payableOn: bankDayAfter(settlesOn, WAITING_DAYS) })
    .where(eq(prenotes.batchId, batchId))
}

/** The latest prenote that was sent under a trace number, and its payout. */
export async function findSentPrenote(tx: Transaction, sequence: number) {
  const [found] = await tx
    .select({ prenote: prenotes, payout: payouts, accountName: giftCards.paymentAccountName })
    .from(prenotes)
    .innerJoin(payouts, eq(payouts.id, prenotes.payoutId))
    .innerJoin(giftCards, eq(giftCards.id, payouts.giftCardId))
    .innerJoin(payoutBatches, eq(payoutBatches.id, prenotes.batchId))
    .where(
      and(
        sql`${prenotes.number} % ${sql.raw(String(TRACE_NUMBERS))} = ${sequence}`,
        isNotNull(prenotes.payableOn),
        ne(payoutBatches.state, 'rejected'),
      ),
    )
    .orderBy(desc(prenotes.number))
    .limit(1)
  return found
}

/** Records that a prenote came back: its account needs another one if it is not dead. */
export async function returnPrenote(tx: Transaction, id: string): Promise<void> {
  await tx.update(prenotes).set({ returnedAt: sql`now()` }).where(eq(prenotes.id, id))
}
