import { setImmediate } from 'node:timers/promises'
import { toDollars } from '#domain/money.ts'
import { type Individual, MAX_LINES, malformed, type ResultLine, tooManyLines } from './result-line.ts'

/**
 * Reads the file in which a bank reports returns and notifications of change: ACH entries (6) whose addenda (7) have type 99
 * or 98. Positions are from https://moov-io.github.io/ach/returns/ and https://moov-io.github.io/ach/changes/
 */

const RECORD_LENGTH = 94

/** By the file header: the bank's and our number, which may have letters, and the day. */
export function isNacha(text: string): boolean {
  return /^\s*101[\x20-\x7e]{20}\d{6}/.test(text)
}

/** Records that are read before other requests get a turn. */
const AT_ONCE = 1000

/** @throws {Refusal} which names the line that is not an ACH record */
export async function readNachaReturns(text: string, odfi: string | undefined): Promise<ResultLine[]> {
  const found: ResultLine[] = []
  let entry: Entry | undefined
  for (const [index, each] of linesOf(text).entries()) {
    if (index % AT_ONCE === 0) await setImmediate()
    const line = index + 1
    const record = toRecord(each, line)
    if (record === '') continue
    const type = record[0]
    if (type === '6') {
      entry = readEntry(record)
      if (!entry) throw malformed(line)
    } else if (type === '7') {
      if (!entry) throw malformed(line)
      if (/^7(98|99)/.test(record)) found.push(readAddenda(record, { line, entry, odfi }))
    } else if (type === '5' || type === '8') entry = undefined
    else if (type !== '1' && type !== '9') throw malformed(line)
  }
  return found
}

/** Records are lines of 94 characters, or follow each other without line ends. */
function linesOf(text: string): string[] {
  const whole = text.trim()
  if (/[\r\n]/.test(whole)) {
    const lines = text.split(/\r\n|\r|\n/, MAX_LINES + 1)
    if (lines.length > MAX_LINES) throw tooManyLines()
    return lines
  }
  if (whole.length > MAX_LINES * RECORD_LENGTH) throw tooManyLines()
  return whole.match(/.{1,94}/g) ?? []
}

/** Empty for a blank line. */
function toRecord(text: string, line: number): string {
  const record = text.trimEnd()
  if (record.length > RECORD_LENGTH || !/^[\x20-\x7e]*$/.test(record)) throw malformed(line)
  return record === '' ? '' : record.padEnd(RECORD_LENGTH)
}

interface Entry {
  /** Cents. A notification of change has 0. */
  readonly amount: number
  readonly individual: Individual
}

function readEntry(record: string): Entry | undefined {
  const amount = toNumber(record.slice(29, 39))
  if (amount === undefined) return undefined
  return { amount, individual: { id: record.slice(39, 54).trim(), name: record.slice(54, 76).trim() } }
}

function readAddenda(
  record: string,
  { line, entry, odfi }: { line: number; entry: Entry; odfi: string | undefined },
): ResultLine {
  const { amount, individual } = entry
  const isReturn = record.startsWith('799')
  const code = record.slice(3, 6)
  const trace = record.slice(6, 21)
  const sequence = toNumber(trace)
  if (!(isReturn ? /^R\d\d$/ : /^C\d\d$/).test(code) || sequence === undefined) throw malformed(line)
  const shown = `${code} for trace number ${trace}${isReturn ? `, ${toDollars(amount)}` : ''}`
  // Another company's entry may have the same last digits.
  if (odfi !== undefined && !trace.startsWith(odfi)) {
    return { line, shown, result: { why: 'the trace number is not one of ours' } }
  }
  const common = {
    key: `nacha ${trace} ${code}`,
    sentBy: 'nacha',
    payoutNumber: sequence % 10_000_000,
    individual,
    code,
  } as const
  return {
    line,
    shown,
    result: isReturn
      ? { ...common, kind: 'returned', amount }
      : { ...common, kind: 'changed', amount: undefined, correction: record.slice(35, 64).trim() },
  }
}

function toNumber(digits: string): number | undefined {
  return /^\d+$/.test(digits) ? Number(digits) : undefined
}
