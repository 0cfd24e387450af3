import { and, asc, gt, isNotNull, lt, sql } from 'drizzle-orm'
import { NIL } from 'uuid'
import type { PaymentType } from '#domain/payment-methods.ts'
import type { Context } from '#server/context.ts'
import { accountIndex } from '#server/features/books/dead-accounts.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { giftCards } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { VaultError } from '#server/platform/vault/seal.ts'
import { indexNumber, openSecrets } from './secrets.ts'

const BATCH = 500
/** The default of new rows. Also in the condition of the index `gift_cards_outdated_indexes`. */
const VERSION = 2

type IndexContext = Pick<Context, 'db' | 'keys' | 'log'>

/**
 * Upgrade: computes the blind indexes of submissions that an earlier version stored. Commits each batch, so that an interrupted
 * start continues at the next one. Several servers take turns.
 * @returns how many submissions this server changed
 */
export async function recomputeIndexes(context: IndexContext): Promise<number> {
  let recomputed = 0
  for (let after: string | undefined = NIL; after !== undefined; ) {
    const start: string = after
    const batch = await transaction(context.db, (tx) => recomputeBatch(tx, context, start))
    recomputed += batch.recomputed
    after = batch.last
  }
  return recomputed
}

async function recomputeBatch(tx: Transaction, context: IndexContext, after: string) {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('Unspent blind indexes'))`)
  const cards = await lockOutdated(tx, after)
  const recomputed = cards.flatMap((card) => {
    const indexes = recompute(context, card)
    return indexes ? [{ ...card, indexes }] : []
  })
  if (recomputed.length > 0) {
    await tx.execute(sql`
      update gift_cards set index_version = ${VERSION}, card_number_index = new.number_index,
        card_number_last_four = new.last_four, payment_account_index = new.account_index
      from unnest(
        ${sql.param(recomputed.map(({ id }) => id))}::uuid[],
        ${sql.param(recomputed.map(({ indexes }) => indexes.cardNumberIndex))}::bytea[],
        ${sql.param(recomputed.map(({ indexes }) => indexes.cardNumberLastFour))}::text[],
        ${sql.param(recomputed.map(({ indexes }) => indexes.paymentAccountIndex))}::bytea[]
      ) as new (id, number_index, last_four, account_index)
      where gift_cards.id = new.id`)
    // Erased accounts cannot be opened, but one with the same earlier index is the same account.
    await tx.execute(sql`
      update gift_cards set payment_account_index = new.account_index
      from unnest(
        ${sql.param(recomputed.map(({ paymentAccountIndex }) => paymentAccountIndex))}::bytea[],
        ${sql.param(recomputed.map(({ indexes }) => indexes.paymentAccountIndex))}::bytea[]
      ) as new (earlier_index, account_index)
      where payment_account_index = new.earlier_index and payment_account_info is null and cleared_at is null`)
    // A dead account that no submission has any more keeps the earlier index, which no account has: it can be paid again.
    await tx.execute(sql`
      update dead_accounts set account_index = new.account_index
      from unnest(
        ${sql.param(recomputed.map(({ paymentAccountIndex }) => paymentAccountIndex))}::bytea[],
        ${sql.param(recomputed.map(({ indexes }) => indexes.paymentAccountIndex))}::bytea[]
      ) as new (earlier_index, account_index)
      where dead_accounts.account_index = new.earlier_index and new.account_index is not null`)
  }
  return { recomputed: recomputed.length, last: cards.at(-1)?.id }
}

/** The next submissions by id whose number can be opened. */
function lockOutdated(tx: Transaction, after: string) {
  return tx
    .select({
      id: giftCards.id,
      dataKey: giftCards.dataKey,
      cardNumber: giftCards.cardNumber,
      securityCode: giftCards.securityCode,
      paymentType: giftCards.paymentType,
      paymentAccountInfo: giftCards.paymentAccountInfo,
      paymentAccountIndex: giftCards.paymentAccountIndex,
    })
    .from(giftCards)
    .where(
      and(
        lt(giftCards.indexVersion, sql.raw(String(VERSION))),
        isNotNull(giftCards.cardNumber),
        gt(giftCards.id, after),
      ),
    )
    .orderBy(asc(giftCards.id))
    .limit(BATCH)
    .for('update')
}

type Outdated = Awaited<ReturnType<typeof lockOutdated>>[number]

/** Undefined if the data key cannot be opened. The indexes stay as they are until a start finds the key. */
function recompute({ keys, log }: IndexContext, card: Outdated) {
  try {
    const { cardNumber = '', securityCode, paymentAccountInfo } = openSecrets(keys, card, opened)
    const paymentAccountIndex =
      paymentAccountInfo === undefined
        ? card.paymentAccountIndex
        : accountIndex(keys, card.paymentType as PaymentType, paymentAccountInfo)
    return { ...indexNumber(keys, { cardNumber, securityCode }), paymentAccountIndex }
  } catch (err) {
    if (!(err instanceof VaultError)) throw err
    log.error({ err, submission: card.id }, 'cannot recompute the indexes of a submission: cannot open it')
    return undefined
  }
}

const opened = ['cardNumber', 'securityCode', 'paymentAccountInfo'] as const
