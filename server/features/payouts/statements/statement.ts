import type { StatementFormat } from '#contract/statements.ts'
import type { Cents } from '#domain/money.ts'
import { invalid, type Refusal, type RefusedField } from '#server/http/refusal.ts'

/** What a file says about an account of the shop. */
export interface Statement {
  readonly format: StatementFormat
  readonly lines: readonly StatementLine[]
}

export interface StatementLine {
  /** Where it starts in the file, from 1. */
  readonly line: number
  /** The booking day, like 2026-11-24. */
  readonly day: string
  /** In cents. Negative if money left. */
  readonly amount: Cents
  readonly text: string
  /** The last four characters of the account's number; empty if the file has none. */
  readonly account: string
  /** The same for this line in every file of the bank. Undefined if the bank gives none. */
  readonly id: string | undefined
  readonly reference: string | undefined
  /** The file says that it is a fee. */
  readonly isFee: boolean
}

/** Maximum lines of a statement. A busy account has a few thousand in a month. */
export const MAX_LINES = 5000
/** Lines that a refusal names. */
const MAX_NAMED = 20

/** Collects the lines that cannot be read, so that a person sees the first twenty at once. */
export class BadLines {
  readonly #found: RefusedField[] = []

  add(line: number, code: LineProblem, value = ''): void {
    this.#found.push({ path: 'file', code, params: { line, value: value.slice(0, 30) } })
    if (this.#found.length === MAX_NAMED) this.requireNone()
  }

  /** Throws `Refusal` if there are any. */
  requireNone(): void {
    if (this.#found.length > 0) throw invalid(this.#found)
  }
}

export type LineProblem = 'statement_day' | 'statement_amount' | 'statement_currency'

export function unreadable(code: 'statement_unknown' | 'statement_cut_off'): Refusal {
  return invalid([{ path: 'file', code }])
}

export function requireFewLines(count: number): void {
  if (count > MAX_LINES) {
    throw invalid([{ path: 'file', code: 'results_too_long', params: { maximum: MAX_LINES } }])
  }
}

/** Maximum cents of a line: more is not the amount of a shop. */
const MAX_AMOUNT = 10 ** 13

/**
 * Cents of `-1,234.56`, `$12`, `(12.50)`, `12.50-`, `1.234,56` or `12,5`. A comma with three digits after it separates thousands, as in
 * the United States. Undefined for other texts, such as `1.234`.
 */
export function centsOf(text: string): Cents | undefined {
  const plain = text.replace(/[\s$\u00a0\u202f]|\bUSD\b/g, '').replace(/[\u2212\u2013]/g, '-')
  const [, inParentheses] = /^\((.*)\)$/.exec(plain) ?? []
  const [, sign = '', digits = '', signAfter = ''] =
    /^([+-]?)([\d.,]+)(-?)$/.exec(inParentheses ?? plain) ?? []
  const [, whole = '', fraction = ''] =
    /^(\d{1,3}(?:,\d{3})+|\d*)(?:\.(\d{0,2})0*)?$/.exec(digits) ??
    /^(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{1,2}))$/.exec(digits) ??
    []
  if (!/\d/.test(whole + fraction) || (sign !== '' && (signAfter !== '' || inParentheses !== undefined))) {
    return undefined
  }
  const cents = Number(whole.replace(/[.,]/g, '')) * 100 + Number(fraction.padEnd(2, '0'))
  if (cents > MAX_AMOUNT) return undefined
  const isNegative = sign === '-' || signAfter === '-' || inParentheses !== undefined
  return isNegative && cents !== 0 ? -cents : cents
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * The day of `2026-11-24`, `20261124`, `11/24/2026`, `11/24/26`, `24.11.2026`, `Nov 24, 2026` or `24-Nov-2026`, with or without a time
 * after it. With slashes or dashes the month is first, as in the United States. Undefined for other texts and impossible days.
 */
export function dayOf(text: string): string | undefined {
  const given = text.trim()
  const iso =
    /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?![\d/-])/.exec(given) ??
    /^(\d{4})(\d\d)(\d\d)(?:\d{6}|\D|$)/.exec(given)
  if (iso) return realDay(iso[1], iso[2], iso[3])
  const american = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4}|\d\d)(?!\d)/.exec(given)
  if (american) return realDay(american[3], american[1], american[2])
  const german = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?!\d)/.exec(given)
  if (german) return realDay(german[3], german[2], german[1])
  const named =
    /^(?<month>[a-z]{3})[a-z]*\.? (?<day>\d{1,2}),? (?<year>\d{4})(?!\d)/i.exec(given) ??
    /^(?<day>\d{1,2})[- ](?<month>[a-z]{3})[a-z]*\.?[- ](?<year>\d{4}|\d\d)(?!\d)/i.exec(given)
  const { year, month = '', day } = named?.groups ?? {}
  return named ? realDay(year, String(months.indexOf(month.toLowerCase()) + 1), day) : undefined
}

function realDay(year = '', month = '', day = ''): string | undefined {
  const full = `${year.length === 2 ? `20${year}` : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = Date.parse(`${full}T00:00:00Z`)
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(full) && /^20/.test(full)
  return isReal ? full : undefined
}
