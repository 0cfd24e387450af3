import { createHash } from 'node:crypto'
import { and, desc, eq, getTableColumns, gt, inArray, lte, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { MAX_EXPORTED_CODES } from '#contract/inventory.ts'
import type { RevealedPart } from '#contract/staff-submissions.ts'
import { toDecimal } from '#domain/money.ts'
import type { Context } from '#server/context.ts'
import { type AuditDetails, record, recordReveal } from '#server/features/audit/actions.ts'
import { openCodes } from '#server/features/submissions/payout-effects.ts'
import type { Staff } from '#server/http/actor.ts'
import { csvLine, parseCsv } from '#server/http/csv.ts'
import { notFound } from '#server/http/refusal.ts'
import type { Database, Transaction } from '#server/platform/database/pool.ts'
import { codeExports, giftCards, inventory } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { DATA_KEY_COLUMN, newDataKey, open, seal, unwrapKey, wrapKey } from '#server/platform/vault/seal.ts'

const TABLE = 'code_exports'

/**
 * Makes a file of the numbers of cards and keeps it, sealed for the person who asked. Records a reveal of each card.
 * Throws `Refusal` if one is not in the inventory, or is erased; then nothing is revealed.
 */
export async function exportCodes(
  { db, keys }: Context,
  staff: Staff,
  ids: readonly string[],
): Promise<{ id: string; file: Buffer }> {
  return transaction(db, async (tx) => {
    const cards = await lockCards(tx, ids)
    if (cards.length < ids.length) throw notFound()
    const lines: string[] = []
    for (const card of cards) {
      const { cardNumber, securityCode } = openCodes(keys, card)
      await recordCard(tx, staff, card.id, securityCode)
      const { brandName, denomination, expirationDate } = card
      lines.push(
        csvLine([
          card.id,
          brandName,
          toDecimal(denomination),
          cardNumber,
          securityCode,
          expirationDate ?? '',
        ]),
      )
    }
    const id = uuidv7()
    const file = Buffer.from([csvLine(columns), ...lines].join(''))
    await insertExport(tx, keys, staff, { id, count: cards.length, file })
    await recordFile(tx, staff, id, { cards: cards.length, ids })
    return { id, file }
  })
}

const columns = ['id', 'brand', 'faceValue', 'number', 'pin', 'expirationDate']

async function lockCards(tx: Transaction, ids: readonly string[]) {
  return await tx
    .select(getTableColumns(giftCards))
    .from(giftCards)
    .innerJoin(inventory, eq(inventory.giftCardId, giftCards.id))
    .where(inArray(giftCards.id, [...ids]))
    .orderBy(giftCards.id)
    .for('share', { of: giftCards })
}

async function insertExport(
  tx: Transaction,
  keys: Context['keys'],
  { id: administratorId }: Staff,
  { id, count, file }: { id: string; count: number; file: Buffer },
): Promise<void> {
  const dataKey = newDataKey()
  try {
    await tx.insert(codeExports).values({
      id,
      administratorId,
      count,
      dataKey: wrapKey(keys, dataKey, keyContext(id)),
      sealedFile: seal(dataKey, file, fileContext(id, administratorId)),
      fileSha256: createHash('sha256').update(file).digest('hex'),
    })
  } finally {
    dataKey.fill(0)
  }
}

const keyContext = (row: string) => ({ table: TABLE, column: DATA_KEY_COLUMN, row })
/** Bound to the person too, so that it does not open for another one. */
const fileContext = (id: string, administratorId: string) => ({
  table: TABLE,
  column: 'sealed_file',
  row: `${id}:${administratorId}`,
})

const current = (staff: Staff) =>
  and(eq(codeExports.administratorId, staff.id), gt(codeExports.expiresAt, sql`now()`))

/** The person's own files that have not expired, newest first. */
export async function listExports({ db }: Context, staff: Staff) {
  const { id, count, fileSha256, createdAt, expiresAt } = codeExports
  return await db
    .select({ id, count, fileSha256, createdAt, expiresAt })
    .from(codeExports)
    .where(current(staff))
    .orderBy(desc(id))
}

/** How many cards are in the person's own file. */
export async function countCards({ db }: Context, staff: Staff, id: string): Promise<number> {
  const [found] = await db
    .select({ count: codeExports.count })
    .from(codeExports)
    .where(and(eq(codeExports.id, id), current(staff)))
  if (!found) throw notFound()
  return found.count
}

/** The person's own file again. Records another reveal of each card. */
export async function readExport({ db, keys }: Context, staff: Staff, id: string): Promise<Buffer> {
  return transaction(db, async (tx) => {
    const [found] = await tx
      .select()
      .from(codeExports)
      .where(and(eq(codeExports.id, id), current(staff)))
    if (!found) throw notFound()
    const dataKey = unwrapKey(keys, found.dataKey, keyContext(id))
    try {
      const file = open(dataKey, found.sealedFile, fileContext(id, staff.id))
      for (const [card = '', pin = ''] of await readCards(file)) await recordCard(tx, staff, card, pin)
      await recordFile(tx, staff, id, { cards: found.count, again: true })
      return file
    } finally {
      dataKey.fill(0)
    }
  })
}

/** The id and PIN of each card in a file. */
async function readCards(file: Buffer): Promise<string[][]> {
  const [, ...rows] = (await parseCsv(file.toString(), MAX_EXPORTED_CODES + 1)) ?? []
  return rows.map(({ cells }) => [cells[columns.indexOf('id')] ?? '', cells[columns.indexOf('pin')] ?? ''])
}

function recordCard(tx: Transaction, staff: Staff, id: string, pin: string) {
  const what: RevealedPart[] = pin === '' ? ['card_number'] : ['card_number', 'pin']
  const details = { what, via: 'inventory' }
  return recordReveal(tx, {
    actor: staff,
    action: 'submission.revealed',
    subject: { kind: 'submission', id },
    details,
  })
}

function recordFile(tx: Transaction, staff: Staff, id: string, details: AuditDetails) {
  const subject = { kind: 'inventory', id } as const
  return record(tx, { actor: staff, action: 'inventory.codes_exported', subject, details })
}

/** Deletes files that have expired, with their keys. */
export async function deleteExpiredExports(db: Database): Promise<void> {
  await db.delete(codeExports).where(lte(codeExports.expiresAt, sql`now()`))
}
