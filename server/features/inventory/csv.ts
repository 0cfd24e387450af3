import { z } from 'zod'
import {
  type inventoryRoutes,
  MAX_IMPORT_LINES,
  type StockFilter,
  stockItem,
  stockLine,
  type StockItem as WireStockItem,
} from '#contract/inventory.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { lockStock, type StockItem } from '#server/features/books/stock.ts'
import type { Staff } from '#server/http/actor.ts'
import { type CsvRow, csvLine, csvPages, parseCsv, withoutGuard } from '#server/http/csv.ts'
import { parseSent } from '#server/http/errors.ts'
import { invalid, Refusal, toFieldError, valuesOf } from '#server/http/refusal.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import type { Translate } from '#words/translate.ts'
import { type Change, changeStock, inShopTime, toMove, toStockAnswer } from './actions.ts'
import { selectStock } from './queries.ts'

/** Rows read at once for an export. */
const EXPORT_ROWS = 1000

/** An import reads the first ones. */
const columns = [
  'id',
  'state',
  'channel',
  'soldAt',
  'proceeds',
  'brandName',
  'denomination',
  'cost',
  'writtenOff',
  'username',
  'enteredAt',
  'leftAt',
] as const

/** The inventory as CSV. Recorded in the audit log. */
export async function exportStock(
  context: Context,
  staff: Staff,
  filter: StockFilter,
): Promise<AsyncIterable<string>> {
  const { q: _, ...shown } = filter
  await transaction(context.db, (tx) =>
    record(tx, {
      actor: staff,
      action: 'report.exported',
      subject: { kind: 'inventory', id: 'all' },
      details: shown,
    }),
  )
  return csvPages<WireStockItem>(
    columns,
    async (last) => {
      const rows = await selectStock(context, staff, { ...filter, cursor: last?.id, limit: EXPORT_ROWS })
      return z.encode(z.array(stockItem), rows.slice(0, EXPORT_ROWS).map(toStockAnswer))
    },
    (row) => csvLine(columns.map((name) => row[name] ?? '')),
  )
}

type Imported = z.output<(typeof inventoryRoutes.importStock.answers)[200]>

/** Applies each line of a file in its own transaction. A line that was applied before changes nothing. */
export async function importStock(
  { db, site }: Context,
  staff: Staff,
  csv: string,
  t: Translate,
): Promise<Imported> {
  const imported: Imported = { changed: 0, already: 0, refused: [] }
  for (const { line, sent } of await readLines(csv)) {
    const { data, problems } = parseSent(stockLine, sent)
    if (problems) {
      const texts = problems.map((problem) => `${problem.path}: ${toFieldError(problem, t).message}`)
      imported.refused.push({ line, text: texts.join('. ') })
      continue
    }
    try {
      const { id, ...sentChange } = data
      const change = inShopTime(sentChange, site)
      const changed = await transaction(db, async (tx) => {
        const locked = await lockStock(tx, id)
        if (locked && isSame(locked.item, change)) return false
        await changeStock(tx, staff, id, change)
        return true
      })
      imported[changed ? 'changed' : 'already'] += 1
    } catch (refusal) {
      if (!(refusal instanceof Refusal)) throw refusal
      imported.refused.push({ line, text: t(refusal.key, valuesOf(refusal.params, t)) })
    }
  }
  const { changed, already, refused } = imported
  await transaction(db, (tx) =>
    record(tx, {
      actor: staff,
      action: 'inventory.imported',
      subject: { kind: 'inventory', id: 'all' },
      details: { changed, already, refused: refused.length },
    }),
  )
  return imported
}

/** The lines of a file by the names of its columns, without empty cells. Throws `Refusal` for what is not such a file. */
async function readLines(csv: string): Promise<{ line: number; sent: Record<string, string> }[]> {
  // The first row is the header.
  const rows = await parseCsv(csv, MAX_IMPORT_LINES + 1)
  if (!rows) throw invalid([{ path: 'csv', code: 'csv_unreadable' }])
  const [header, ...lines] = rows
  const names = header?.cells.map((name) => name.trim().toLowerCase()) ?? []
  if (!names.includes('id') || !names.includes('state')) throw invalid([{ path: 'csv', code: 'csv_columns' }])
  if (lines.length > MAX_IMPORT_LINES)
    throw invalid([{ path: 'csv', code: 'csv_too_long', params: { maximum: MAX_IMPORT_LINES } }])
  const cellOf = ({ cells }: CsvRow, name: string) =>
    withoutGuard(cells[names.indexOf(name.toLowerCase())]?.trim() ?? '')
  return lines.map((row) => {
    const given = importColumns.map((name) => [name, cellOf(row, name)]).filter(([, cell]) => cell !== '')
    return { line: row.line, sent: Object.fromEntries(given) }
  })
}

const importColumns = ['id', 'state', 'channel', 'soldAt', 'proceeds'] as const

/** Whether the item already is what the change would make it. */
function isSame(item: StockItem, change: Change): boolean {
  const move = toMove(item, { ...change, soldAt: change.soldAt ?? item.soldAt ?? undefined })
  return (
    item.state === move.state &&
    item.channel === move.channel &&
    item.proceeds === move.proceeds &&
    item.soldAt?.getTime() === move.soldAt?.getTime()
  )
}
