import { and, asc, eq, isNotNull, sql } from 'drizzle-orm'
import { NIL } from 'uuid'
import type { Context } from '#server/context.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { giftCards, statusHistory } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { VaultError } from '#server/platform/vault/seal.ts'
import { sealReason, UNSEALED } from './reasons.ts'

const BATCH = 500

type SealingContext = Pick<Context, 'db' | 'keys' | 'log'>
interface Entry {
  readonly id: string
  readonly version: number
}

/**
 * Upgrade: seals texts that earlier versions stored in the history in plain text. Commits each batch, so that an
 * interrupted start continues at the next one. Several servers take turns.
 * @returns how many texts this server sealed
 */
export async function sealEarlierReasons(context: SealingContext): Promise<number> {
  let sealed = 0
  for (let after: Entry = { id: NIL, version: 0 }; ; ) {
    const batch = await transaction(context.db, (tx) => sealBatch(tx, context, after))
    sealed += batch.sealed
    if (!batch.last) return sealed
    after = batch.last
  }
}

async function sealBatch(
  tx: Transaction,
  context: SealingContext,
  after: Entry,
): Promise<{ sealed: number; last: Entry | undefined }> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('Unspent sealing of the history'))`)
  const entries = await findPlain(tx, after)
  const sealed = entries.flatMap((entry) => {
    const bytes = sealEntry(context, entry)
    return bytes ? [{ ...entry, bytes }] : []
  })
  if (sealed.length > 0) {
    await tx.execute(sql`
      update status_history set reason = null, sealed_reason = sealed.bytes
      from unnest(
        ${sql.param(sealed.map(({ id }) => id))}::uuid[],
        ${sql.param(sealed.map(({ version }) => version))}::integer[],
        ${sql.param(sealed.map(({ bytes }) => bytes))}::bytea[]
      ) as sealed (id, version, bytes)
      where status_history.gift_card_id = sealed.id and status_history.version = sealed.version`)
  }
  return { sealed: sealed.length, last: entries.at(-1) }
}

function findPlain(tx: Transaction, { id, version }: Entry) {
  return tx
    .select({
      id: statusHistory.giftCardId,
      version: statusHistory.version,
      text: sql<string>`${statusHistory.plainReason}`,
      dataKey: giftCards.dataKey,
    })
    .from(statusHistory)
    .innerJoin(giftCards, eq(giftCards.id, statusHistory.giftCardId))
    .where(
      and(
        isNotNull(statusHistory.plainReason),
        sql`(${statusHistory.giftCardId}, ${statusHistory.version}) > (${id}, ${version})`,
      ),
    )
    .orderBy(asc(statusHistory.giftCardId), asc(statusHistory.version))
    .limit(BATCH)
}

/** Undefined if the data key cannot be opened. The text stays unsealed until the key is back. */
function sealEntry(
  { keys, log }: SealingContext,
  entry: Awaited<ReturnType<typeof findPlain>>[number],
): Buffer | undefined {
  if (!entry.dataKey) return UNSEALED
  try {
    return sealReason(keys, entry, entry.version, entry.text).sealed ?? UNSEALED
  } catch (err) {
    if (!(err instanceof VaultError)) throw err
    log.error({ err, submission: entry.id }, 'cannot seal a text of the history: cannot open the data key')
    return undefined
  }
}
