import { and, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { deadFor } from '#domain/dead-accounts.ts'
import { deadAccountReasons, isAboutLimit } from '#domain/failure.ts'
import { accountIdentity, type PaymentType } from '#domain/payment-methods.ts'
import { reasonCodes } from '#domain/reasons.ts'
import type { Context } from '#server/context.ts'
import { invalid, type RefusedField } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { jsonObject, onlyRow } from '#server/platform/database/queries.ts'
import { deadAccounts, payouts } from '#server/platform/database/schema.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { blindIndex } from '#server/platform/vault/seal.ts'
import type { Translate } from '#words/translate.ts'

/** Payout accounts that a bank or service refused. They are known only by their blind indexes. */

/** The blind index of a payout account. Null if there is nothing to compare. */
export function accountIndex(keys: KeyRing, type: PaymentType, info: string): Buffer | null {
  const identity = accountIdentity(type, info)
  return identity === undefined ? null : blindIndex(keys, 'payment_account', identity)
}

/** A payout whose submission still has the account that was paid. */
interface PaidAccount {
  readonly payout: { readonly id: string; readonly sellerId: string; readonly paymentType: PaymentType }
  readonly accountIndex: Buffer | null
}

/**
 * Marks the account of a payout as dead if the code says so. Without a code, a payer said so.
 * @returns whether the account is dead
 */
export async function markDead(
  tx: Transaction,
  { payout, accountIndex }: PaidAccount,
  code: string | null,
): Promise<boolean> {
  const { id: payoutId, sellerId, paymentType } = payout
  const scope = code === null ? 'seller' : deadFor(paymentType, code)
  if (!scope || !accountIndex) return false
  const everyone = scope === 'everyone'
  await tx
    .insert(deadAccounts)
    .values({ id: uuidv7(), accountIndex, paymentType, sellerId, everyone, payoutId, code })
  return true
}

/** Marks the account of a locked submission as dead for its seller, because its payout failed for this reason. */
export async function markFailed(tx: Transaction, giftCardId: string, code: string): Promise<void> {
  await tx.execute(sql`
    insert into dead_accounts (id, account_index, payment_type, seller_id, everyone, payout_id, code)
    select ${uuidv7()}, payment_account_index, gift_cards.payment_type, gift_cards.seller_id, false, payouts.id, ${code}
    from gift_cards join payouts on payouts.gift_card_id = gift_cards.id
    where gift_cards.id = ${giftCardId} and payment_account_index is not null and (state <> 'void' or not by_hand)
    order by number desc limit 1`)
}

/** The seller's other payouts that `markFailed` keeps from leaving. One of zero closes itself. */
export async function sumSameAccount(db: Executor, giftCardId: string) {
  const { rows } = await db.execute<{ count: number; total: number }>(sql`
    select count(*)::int as count, coalesce(sum(payouts.amount), 0)::int as total
    from gift_cards own
    join gift_cards on gift_cards.payment_account_index = own.payment_account_index
      and gift_cards.seller_id = own.seller_id and gift_cards.id <> own.id and gift_cards.cleared_at is null
      and own.payment_type in (gift_cards.payment_type, 'bank_transfer')
    join payouts on payouts.gift_card_id = gift_cards.id
    where own.id = ${giftCardId} and payouts.state in ('due', 'batched', 'released') and payouts.amount > 0`)
  return onlyRow(rows)
}

/** Lifts what `markFailed` has marked, because staff revert the failure. */
export async function liftFailed(tx: Transaction, giftCardId: string, staffId: string): Promise<void> {
  await tx.execute(sql`
    update dead_accounts set lifted_at = now(), lifted_by = ${staffId}
    from payouts own join gift_cards on gift_cards.id = own.gift_card_id
    where own.id = dead_accounts.payout_id and own.gift_card_id = ${giftCardId}
      and dead_accounts.code in ${deadAccountReasons} and ${holdsFor(giftCards)}`)
}

/** The marks that hold for a submission, for a query of gift_cards. A bank account is the same with every payment type. */
const holdsFor = (card: SQL) => sql`
  dead_accounts.account_index = ${card}.payment_account_index and dead_accounts.lifted_at is null
  and dead_accounts.payment_type in (${card}.payment_type, 'bank_transfer')
  and (dead_accounts.everyone or dead_accounts.seller_id = ${card}.seller_id)`

const giftCards = sql.raw('gift_cards')

/** Whether the account of a submission is dead, for queries of gift_cards. */
export const isAccountDead = sql<boolean>`exists (select from dead_accounts where ${holdsFor(giftCards)})`

/** The same without what others were paid, which a seller must not learn before a payout of their own is due. */
const holdsForSeller = sql`${holdsFor(giftCards)} and dead_accounts.seller_id = gift_cards.seller_id`
export const isAccountRefused = sql<boolean>`exists (select from dead_accounts where ${holdsForSeller})`

/** Why the account of a submission is dead, by the newest report. */
export interface DeadAccount {
  readonly code: string | null
  /** What a payer wrote. */
  readonly reason: string | null
  readonly since: Date
}

/** For queries of gift_cards, which may name it differently. Null if the account is not dead. */
export const deadAccount = (card: SQL = giftCards) => newestMark(holdsFor(card))

/** The same for `isAccountRefused`. */
export const accountRefusal = newestMark(holdsForSeller)

function newestMark(where: SQL) {
  return jsonObject<DeadAccount>(
    sql`(
      select json_build_object('code', dead_accounts.code, 'reason', reporting.return_reason, 'since', dead_accounts.at)
      from dead_accounts join payouts reporting on reporting.id = dead_accounts.payout_id
      where ${where} order by dead_accounts.at desc limit 1
    )`,
    'since',
  )
}

/**
 * For queries of payouts that have not left: the seller's last payout to the same account that came back without making the account
 * dead. Null if a later one arrived. Compares masked accounts: the account that came back may be replaced in its submission.
 */
const lastReturn = sql`(case when payouts.state in ('due', 'batched', 'released') then (
    select json_build_object('at', returned.returned_at, 'code', returned.return_code, 'reason', returned.return_reason)
    from payouts returned
    where returned.seller_id = payouts.seller_id and returned.state = 'returned'
      and returned.gift_card_id <> payouts.gift_card_id
      and returned.payment_type = payouts.payment_type and returned.account_hint = payouts.account_hint
      and not exists (
        select from dead_accounts where seller_id = payouts.seller_id and payout_id = returned.id
      )
      and returned.returned_at > coalesce((
        select max(arrived.paid_at) from payouts arrived
        where arrived.seller_id = payouts.seller_id and arrived.state = 'paid'
          and arrived.payment_type = payouts.payment_type and arrived.account_hint = payouts.account_hint
      ), '-infinity')
    order by returned.returned_at desc limit 1
  ) end)`

export const cameBack = jsonObject<CameBack>(lastReturn, 'at')
export const hasCameBack = sql`(${lastReturn}) is not null`

/**
 * Finds when the seller's last payout to an account came back, by its masked form. Undefined if a later one arrived, or if the account
 * only reached a limit.
 */
export async function findReturns({ db, words }: Pick<Context, 'db' | 'words'>, sellerId: string) {
  const limits = reasonCodes
    .filter(isAboutLimit)
    .flatMap((code) => Object.values(words).map((t) => t(`reasons.text.${code}`)))
  const { rows } = await db.execute<{ paymentType: string; accountHint: string; at: string }>(sql`
    select payment_type as "paymentType", account_hint as "accountHint", max(returned_at) as at
    from payouts where seller_id = ${sellerId} and (
      state = 'paid' or (state = 'returned' and coalesce(return_reason, '') not in ${limits})
    )
    group by payment_type, account_hint
    having max(returned_at) filter (where state = 'returned')
      > coalesce(max(paid_at) filter (where state = 'paid'), '-infinity')`)
  return (type: PaymentType, hint: string): Date | undefined => {
    const found = rows.find((row) => row.paymentType === type && row.accountHint === hint)
    return found && new Date(found.at)
  }
}

interface CameBack extends Pick<DeadAccount, 'code' | 'reason'> {
  readonly at: Date
}

/** Lifts all marks of the account of a payout. @returns their codes */
export async function liftMarks(
  tx: Transaction,
  payoutId: string,
  staffId: string,
): Promise<(string | null)[]> {
  const { rows } = await tx.execute<{ code: string | null }>(sql`
    update dead_accounts set lifted_at = now(), lifted_by = ${staffId}
    from payouts own join gift_cards on gift_cards.id = own.gift_card_id
    where own.id = ${payoutId} and ${holdsFor(giftCards)}
    returning dead_accounts.code`)
  return rows.map(({ code }) => code)
}

/** An account as it is entered. */
export interface EnteredAccount {
  readonly type: PaymentType
  readonly info: string
  /** The field to which the error belongs. */
  readonly path: string
}

/**
 * Finds the errors of accounts that refused a payment to this seller. What others were paid does not count: a stranger must not
 * learn from the form whether somebody else's account is closed.
 */
export async function findRefusedBefore(db: Executor, keys: KeyRing, sellerId: string) {
  const { accountIndex: index, paymentType, code } = deadAccounts
  const marks = await db
    .select({ index, paymentType, code, reason: payouts.returnReason })
    .from(deadAccounts)
    .innerJoin(payouts, eq(payouts.id, deadAccounts.payoutId))
    .where(and(eq(deadAccounts.sellerId, sellerId), isNull(deadAccounts.liftedAt)))
    .orderBy(desc(deadAccounts.at))
  return ({ type, info, path }: EnteredAccount): RefusedField | undefined => {
    if (marks.length === 0) return undefined
    const entered = accountIndex(keys, type, info)
    const mark = marks.find(
      ({ index, paymentType }) =>
        entered?.equals(index) && (paymentType === type || paymentType === 'bank_transfer'),
    )
    return mark && accountRefused(path, (t) => bankReason(t, mark))
  }
}

/** The error of an account that refused a payment. A payer may have ended the reason with a period, which the text has too. */
export function accountRefused(
  path: string,
  reason: (t: Translate) => string,
  code: 'account_refused' | 'account_name_refused' = 'account_refused',
): RefusedField {
  return { path, code, params: (t) => ({ reason: reason(t).replace(/\.\s*$/, '') }) }
}

/** Throws `Refusal` if the account refused a payment to this seller before. */
export async function requireNotRefused(
  db: Executor,
  keys: KeyRing,
  sellerId: string,
  account: EnteredAccount,
): Promise<void> {
  const problem = (await findRefusedBefore(db, keys, sellerId))(account)
  if (problem) throw invalid([problem])
}

/** What the bank or service said, why a payer voided the payout, or what a payer wrote. */
export function bankReason(t: Translate, { code, reason }: Pick<DeadAccount, 'code' | 'reason'>): string {
  if (!code) return reason ?? t('payouts.returned.unexplained')
  const keys = [`payouts.returned.${code}`, `payouts.changed.${code}`, `reasons.text.${code}`]
  const key = keys.find((each) => t.has(each))
  // Only the texts of the last kind end with a period.
  return key && t.has(key) ? t(key).replace(/\.$/, '') : t('payouts.returned.unknown', { code })
}
