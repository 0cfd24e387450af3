import { type SQL, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { BalanceCheckAnswer, NewBalanceCheck } from '#contract/staff-submissions.ts'
import { type BalanceSource, maxBalance } from '#domain/balance.ts'
import { toDecimal, toShortDollars } from '#domain/money.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { invalid, notFound } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { jsonObject } from '#server/platform/database/queries.ts'
import { balanceChecks, giftCards } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { unwrapKey } from '#server/platform/vault/seal.ts'
import { discardPhotos, insertPhotos, photoPaths, type ReceivedPhoto, storePhotos } from '../photos.ts'
import { type CardRow, findCard, lockCard } from '../queries.ts'
import { erased, openText, type SealingContext, sealText } from '../reasons.ts'
import { balanceNoteContext, dataKeyContext } from '../secrets.ts'

/** Maximum checks that are listed. */
const MAX_LISTED = 50

/** The newest checks of a submission, newest first. */
export async function listBalanceChecks(
  context: Context,
  staff: Staff,
  id: string,
): Promise<BalanceCheckAnswer[]> {
  const card = await findCard(context.db, id)
  if (!card) throw notFound()
  return await readChecks(context.db, context, card, staff)
}

/** Records the balance that staff found on a card. The note and the photo are sealed with the submission. */
export async function recordBalanceCheck(
  context: Context,
  staff: Staff,
  giftCardId: string,
  { amount, source, note }: NewBalanceCheck,
  photo: ReceivedPhoto | undefined,
): Promise<BalanceCheckAnswer> {
  const { db, keys } = context
  const dataKey = await transaction(db, async (tx) => {
    const card = await lockCheckable(tx, giftCardId, amount)
    return unwrapKey(keys, card.dataKey, dataKeyContext(giftCardId))
  })
  // Outside the transactions, so that a slow storage holds no lock and no database connection.
  const storing = storePhotos(context, dataKey, { giftCardId }, photo ? [photo] : [])
  const stored = await storing.finally(() => dataKey.fill(0))
  try {
    return await transaction(db, async (tx) => {
      const card = await lockCheckable(tx, giftCardId, amount)
      const id = uuidv7({ msecs: card.lockedAt.getTime() })
      const sealedNote = note ? sealText(keys, card, balanceNoteContext(id), note).sealed : null
      const row = { id, giftCardId, amount, source, sealedNote, byId: staff.id, at: card.lockedAt }
      await tx.insert(balanceChecks).values(row)
      await insertPhotos(
        tx,
        // Stores no likeness, because it is not a photo of the card.
        stored.map((file) => ({ ...file, likeness: null, balanceCheckId: id })),
      )
      await record(tx, {
        actor: staff,
        action: 'submission.balance_checked',
        subject: { kind: 'submission', id: giftCardId },
        details: { amount: toDecimal(amount), source },
      })
      const [check] = await readChecks(tx, context, card, staff)
      if (!check) throw new Error('The balance check was not stored')
      return check
    })
  } catch (error) {
    await discardPhotos(context, stored)
    throw error
  }
}

async function lockCheckable(tx: Transaction, id: string, amount: number) {
  const card = await lockCard(tx, id)
  if (!card) throw notFound()
  const { dataKey } = card
  if (!dataKey) throw erased(card)
  const maximum = maxBalance(card.denomination)
  if (amount > maximum) {
    const params = { maximum: toShortDollars(maximum) }
    throw invalid([{ path: 'amount', code: 'balance_too_high', params }])
  }
  return { ...card, dataKey }
}

interface StoredCheck {
  readonly id: string
  readonly amount: number
  readonly source: BalanceSource
  /** Sealed, in hex. */
  readonly note: string | null
  readonly photo: string | null
  readonly by: string | null
  readonly at: Date
}

const selectChecks = (where: SQL, limit: number) => sql`
  select json_build_object(
    'id', balance_checks.id, 'amount', balance_checks.amount, 'source', balance_checks.source,
    'note', encode(balance_checks.sealed_note, 'hex'),
    'photo', (
      select photos.name from photos
      where photos.gift_card_id = balance_checks.gift_card_id and photos.balance_check_id = balance_checks.id
    ),
    'by', administrators.username, 'at', balance_checks.at
  ) as found
  from balance_checks left join administrators on administrators.id = balance_checks.by_id
  where ${where} order by balance_checks.id desc limit ${sql.raw(String(limit))}`

/** A column: the latest check of the submission. */
export const latestCheck = jsonObject<StoredCheck>(
  sql`(${selectChecks(sql`balance_checks.gift_card_id = ${giftCards.id}`, 1)})`,
  'at',
)

async function readChecks(
  db: Executor,
  context: Context,
  card: CardRow,
  staff: Staff,
): Promise<BalanceCheckAnswer[]> {
  const query = selectChecks(sql`balance_checks.gift_card_id = ${card.id}`, MAX_LISTED)
  const { rows } = await db.execute<{ found: StoredCheck }>(query)
  return rows.map(({ found }) => toBalanceCheck(context, card, { ...found, at: new Date(found.at) }, staff))
}

export function toBalanceCheck(
  context: SealingContext & Pick<Context, 'words'>,
  card: Pick<CardRow, 'id' | 'dataKey' | 'secretsErasedAt' | 'status'>,
  { note, photo, ...check }: StoredCheck,
  staff: Staff,
): BalanceCheckAnswer {
  const sealed = note === null ? null : Buffer.from(note, 'hex')
  return {
    ...check,
    note: sealed && openText(context, context.words.en, staff, card, balanceNoteContext(check.id), sealed),
    photo: photo === null ? null : (photoPaths([photo], staff, card)[0] ?? null),
  }
}
