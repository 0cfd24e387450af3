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

/** Some spreadsheets ignore spaces and control characters before a formula, or accept full-width signs. */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u

/** One line of CSV for a program that must read every cell as it is, such as PayPal's upload. */
export function exactCsvLine(cells: readonly string[]): string {
  const quoted = cells.map((text) => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
  return `${quoted.join(',')}\r\n`
}
