import { and, asc, eq, sql } from 'drizzle-orm'
import { NIL } from 'uuid'
import type { ReasonCode } from '#domain/reasons.ts'
import type { Context } from '#server/context.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { giftCards, statusHistory } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { VaultError } from '#server/platform/vault/seal.ts'
import { findReasonCode, type StoredReason, sealReason, UNSEALED, unsealText } from './reasons.ts'
import { reasonContext } from './secrets.ts'

const BATCH = 500

/** Texts of reasons in earlier versions. Texts that did not change since are in the catalog. */
const earlierTexts: ReadonlyMap<string, ReasonCode> = new Map([
  ['CVS cards are taken only when they can be used in store.', 'type_cvs_in_store'],
  ['Only cards whose redemption code begins with X are taken for this brand.', 'type_x_code'],
  ['Promotional and reward cards are not taken.', 'type_promotional'],
  ['eBay cards are not taken partially used.', 'type_ebay_partial'],
])

type ConversionContext = Pick<Context, 'db' | 'keys' | 'log' | 'words'>
interface Entry {
  readonly id: string
  readonly version: number
}

/**
 * Upgrade: stores reasons that earlier versions stored as texts by their code, and seals texts that were stored in plain
 * text. Commits each batch, so that an interrupted start continues at the next one. Several servers take turns.
 * @returns how many texts this server converted
 */
export async function convertEarlierReasons(context: ConversionContext): Promise<number> {
  let converted = 0
  for (let after: Entry = { id: NIL, version: 0 }; ; ) {
    const batch = await transaction(context.db, (tx) => convertBatch(tx, context, after))
    converted += batch.converted
    if (!batch.last) return converted
    after = batch.last
  }
}

async function convertBatch(
  tx: Transaction,
  context: ConversionContext,
  after: Entry,
): Promise<{ converted: number; last: Entry | undefined }> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('Unspent conversion of the history'))`)
  const entries = await findUnconverted(tx, after)
  const converted = entries.flatMap((entry) => {
    const stored = convert(context, entry)
    return stored ? [{ ...entry, ...stored }] : []
  })
  if (converted.length > 0) {
    await tx.execute(sql`
      update status_history set reason = null, reason_code = new.code, sealed_reason = new.sealed
      from unnest(
        ${sql.param(converted.map(({ id }) => id))}::uuid[],
        ${sql.param(converted.map(({ version }) => version))}::integer[],
        ${sql.param(converted.map(({ reasonCode }) => reasonCode))}::text[],
        ${sql.param(converted.map(({ sealedReason }) => sealedReason))}::bytea[]
      ) as new (id, version, code, sealed)
      where status_history.gift_card_id = new.id and status_history.version = new.version`)
  }
  return { converted: converted.length, last: entries.at(-1) }
}

function findUnconverted(tx: Transaction, { id, version }: Entry) {
  return tx
    .select({
      id: statusHistory.giftCardId,
      version: statusHistory.version,
      byKind: statusHistory.byKind,
      plain: statusHistory.plainReason,
      sealed: statusHistory.sealedReason,
      dataKey: giftCards.dataKey,
      erasedAt: giftCards.secretsErasedAt,
    })
    .from(statusHistory)
    .innerJoin(giftCards, eq(giftCards.id, statusHistory.giftCardId))
    .where(
      and(
        // As in the index `status_history_unconverted`.
        sql`(reason is not null or (sealed_reason is not null and reason_code is null and by_kind = 'staff'))`,
        sql`(${statusHistory.giftCardId}, ${statusHistory.version}) > (${id}, ${version})`,
      ),
    )
    .orderBy(asc(statusHistory.giftCardId), asc(statusHistory.version))
    .limit(BATCH)
}

type Unconverted = Awaited<ReturnType<typeof findUnconverted>>[number]

/** Undefined if the data key cannot be opened. The text stays unconverted until the key is back. */
function convert({ keys, log, words }: ConversionContext, entry: Unconverted): StoredReason | undefined {
  const byStaff = entry.byKind === 'staff'
  const freeText = byStaff ? 'free_text' : null
  try {
    const text = textOf(keys, entry)
    const known = byStaff && text && (earlierTexts.get(text) ?? findReasonCode(words.en, text))
    if (known) return { reasonCode: known, sealedReason: null }
    return { reasonCode: freeText, sealedReason: entry.sealed ?? sealPlain(keys, entry, text) }
  } catch (err) {
    if (!(err instanceof VaultError)) throw err
    // The key of a text from before an erasure is gone for good.
    if (entry.sealed && entry.erasedAt) return { reasonCode: freeText, sealedReason: entry.sealed }
    const { id, version } = entry
    log.error(
      { err, submission: id, version },
      'cannot convert a text of the history: cannot open the data key',
    )
    return undefined
  }
}

/** Null if its key is erased. */
function textOf(keys: KeyRing, { id, version, plain, sealed, dataKey }: Unconverted): string | null {
  if (plain !== null || !dataKey || !sealed?.length) return plain
  return unsealText(keys, { id, dataKey }, reasonContext(id, version), sealed)
}

function sealPlain(keys: KeyRing, { id, version, dataKey }: Unconverted, text: string | null): Buffer {
  return dataKey && text !== null ? sealReason(keys, { id, dataKey }, version, text).sealed : UNSEALED
}
