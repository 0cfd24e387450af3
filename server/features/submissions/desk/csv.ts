/**
 * One line of a CSV file, RFC 4180: cells with commas, quotes or line ends are quoted, lines end in CRLF. A cell
 * that a spreadsheet would take for a formula is made text by an apostrophe, also where blanks or control characters
 * come first; a cell that a spreadsheet with another separator would split is quoted too.
 * Source: https://owasp.org/www-community/attacks/CSV_Injection
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

/** The full-width forms count as the plain ones in some spreadsheets. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u

function cell(text: string): string {
  const harmless = FORMULA.test(text) ? `'${text}` : text
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
