import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { FastifyReply } from 'fastify'

/**
 * One line of CSV (RFC 4180) for people. Cells that a spreadsheet would run as a formula start with an apostrophe, and cells
 * that another separator would split are quoted. Source: https://owasp.org/www-community/attacks/CSV_Injection
 */
export function csvLine(cells: readonly string[]): string {
  return exactCsvLine(cells.map(harmlessCell))
}

/** The text with an apostrophe before it if a spreadsheet would run it as a formula. */
export function harmlessCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

/** Removes the apostrophe that `csvLine` put before a cell. */
export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell.slice(1)) ? cell.slice(1) : cell
}

/** Some spreadsheets ignore spaces and control characters before a formula, or accept full-width signs. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u

/** One line of CSV for a program that must read every cell unchanged, such as PayPal's upload. */
export function exactCsvLine(cells: readonly string[]): string {
  const quoted = cells.map((text) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
  return `${quoted.join(',')}\r\n`
}

/**
 * A CSV file that is read while it is sent, so that it never fills the memory.
 * @param readAfter the rows after a row, or the first ones; empty after the last
 * @param toLine one row as a line
 */
export async function* csvPages<Row>(
  columns: readonly string[],
  readAfter: (last: Row | undefined) => Promise<readonly Row[]>,
  toLine: (row: Row) => string,
): AsyncGenerator<string> {
  yield csvLine(columns)
  for (let last: Row | undefined; ; ) {
    const rows = await readAfter(last)
    if (rows.length === 0) return
    yield rows.map(toLine).join('')
    last = rows.at(-1)
  }
}

/** @param name of the file, without its extension */
export function sendCsv(
  reply: FastifyReply,
  name: string,
  csv: AsyncIterable<string> | string | Buffer,
): FastifyReply {
  return reply
    .type('text/csv; charset=utf-8; header=present')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .send(typeof csv === 'string' || Buffer.isBuffer(csv) ? csv : Readable.from(csv))
}

export interface CsvRow {
  /** The line of the file, from 1, on which the row starts. */
  readonly line: number
  readonly cells: readonly string[]
}

/** What is read before other requests get a turn, which takes some milliseconds. */
const CELLS_AT_ONCE = 10_000
const CHARACTERS_AT_ONCE = 50_000

/** Larger cells and rows are no table that anyone exports. One cell of megabytes would block the server for seconds. */
const MAX_CELL_LENGTH = 10_000
const MAX_CELLS = 1000

type Separator = ',' | ';' | '\t'

/** A cell and what ends it. */
function tokenOf(separator: Separator): RegExp {
  const quoted = `"(?:[^"]|""){0,${MAX_CELL_LENGTH}}"(?!")[^${separator}\\r\\n]{0,${MAX_CELL_LENGTH}}`
  const plain = `[^"${separator}\\r\\n][^${separator}\\r\\n]{0,${MAX_CELL_LENGTH}}`
  return new RegExp(`(${quoted}|${plain}|)(${separator}|\\r\\n|\\r|\\n|$)`, 'y')
}

/**
 * Parses CSV (RFC 4180) with any line ends. Leaves out blank lines, and stops after one row more than the maximum. Undefined if
 * a quote is not closed, or a cell or a row is too long.
 */
export async function parseCsv(
  text: string,
  maxRows: number,
  separator: Separator = ',',
): Promise<CsvRow[] | undefined> {
  const rows: CsvRow[] = []
  const token = tokenOf(separator)
  let cells: string[] = []
  let line = 1
  let start = 1
  let read = 0
  let rested = 0
  token.lastIndex = text.startsWith('\ufeff') ? 1 : 0
  for (;;) {
    if (++read % CELLS_AT_ONCE === 0 || token.lastIndex - rested > CHARACTERS_AT_ONCE) {
      await setImmediate()
      rested = token.lastIndex
    }
    const match = token.exec(text)
    if (!match || cells.length === MAX_CELLS) return undefined
    const [, cell = '', end] = match
    cells.push(cell.startsWith('"') ? cell.replace(/^"((?:[^"]|"")*)"/, '$1').replaceAll('""', '"') : cell)
    line += cell.match(/\r\n|\r|\n/g)?.length ?? 0
    if (end === separator) continue
    if (cells.some((content) => content.trim() !== '')) rows.push({ line: start, cells })
    if (end === '' || rows.length > maxRows) return rows
    cells = []
    line += 1
    start = line
  }
}
