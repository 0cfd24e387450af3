/**
 * One line of a CSV file, RFC 4180: cells with commas, quotes or line ends are quoted, lines end in CRLF. A cell
 * that a spreadsheet would take for a formula is made text by an apostrophe.
 * Source: https://owasp.org/www-community/attacks/CSV_Injection
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(cell).join(',')}\r\n`
}

function cell(text: string): string {
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
