import { closedDays } from './federal-holidays.ts'

/**
 * Reads ACH files of PPD credits and finds everything wrong with them. Written from the published layouts alone
 * (https://moov-io.github.io/ach/file-structure/, Appendix One and Three of the NACHA Operating Rules), so that it can check
 * what the server writes.
 */

export interface AchFile {
  readonly fileId: string
  readonly effectiveOn: string
  readonly entries: readonly AchEntry[]
  /** Each names its line. */
  readonly problems: readonly string[]
}

export interface AchEntry {
  readonly routingNumber: string
  readonly account: string
  readonly cents: bigint
  readonly id: string
  readonly name: string
  readonly trace: string
  readonly information: string
}

type Kind = 'digits' | 'text' | 'blank' | RegExp

/** Name, first and last position, contents. Positions count from 1. */
type Field = readonly [name: string, from: number, to: number, kind: Kind]

const DATE = /^\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/

const layouts: Readonly<Record<string, readonly Field[]>> = {
  '1': [
    ['type', 1, 1, /^1$/],
    ['priority', 2, 3, /^01$/],
    ['destination', 4, 13, /^ \d{9}$/],
    ['origin', 14, 23, /^[ A-Z\d][A-Z\d]{9}$/],
    ['created', 24, 29, DATE],
    ['time', 30, 33, /^([01]\d|2[0-3])[0-5]\d$/],
    ['fileId', 34, 34, /^[A-Z\d]$/],
    ['recordSize', 35, 37, /^094$/],
    ['blocking', 38, 39, /^10$/],
    ['format', 40, 40, /^1$/],
    ['destinationName', 41, 63, 'text'],
    ['originName', 64, 86, 'text'],
    ['reference', 87, 94, 'text'],
  ],
  '5': [
    ['type', 1, 1, /^5$/],
    ['serviceClass', 2, 4, /^220$/],
    ['company', 5, 20, 'text'],
    ['discretionary', 21, 40, 'text'],
    ['companyId', 41, 50, /^[A-Z\d]+ *$/],
    ['entryClass', 51, 53, /^PPD$/],
    ['description', 54, 63, /^\S.*$/],
    ['descriptiveDate', 64, 69, 'text'],
    ['effective', 70, 75, DATE],
    ['settlement', 76, 78, 'blank'],
    ['status', 79, 79, /^1$/],
    ['odfi', 80, 87, 'digits'],
    ['batch', 88, 94, 'digits'],
  ],
  '6': [
    ['type', 1, 1, /^6$/],
    ['transaction', 2, 3, /^[23][23]$/],
    ['rdfi', 4, 11, 'digits'],
    ['checkDigit', 12, 12, 'digits'],
    ['account', 13, 29, /^[A-Z\d-]+ *$/],
    ['amount', 30, 39, 'digits'],
    ['id', 40, 54, 'text'],
    ['name', 55, 76, /^\S.*$/],
    ['discretionary', 77, 78, 'text'],
    ['addenda', 79, 79, /^[01]$/],
    ['trace', 80, 94, 'digits'],
  ],
  '7': [
    ['type', 1, 1, /^7$/],
    ['addendaType', 2, 3, /^05$/],
    ['information', 4, 83, /^[A-Z\d]{2,3}(\*[^*\\~]*)+[\\~] *$/],
    ['sequence', 84, 87, /^0001$/],
    ['entrySequence', 88, 94, 'digits'],
  ],
  '8': [
    ['type', 1, 1, /^8$/],
    ['serviceClass', 2, 4, /^220$/],
    ['count', 5, 10, 'digits'],
    ['hash', 11, 20, 'digits'],
    ['debits', 21, 32, 'digits'],
    ['credits', 33, 44, 'digits'],
    ['companyId', 45, 54, 'text'],
    ['authentication', 55, 73, 'text'],
    ['reserved', 74, 79, 'blank'],
    ['odfi', 80, 87, 'digits'],
    ['batch', 88, 94, 'digits'],
  ],
  '9': [
    ['type', 1, 1, /^9$/],
    ['batches', 2, 7, 'digits'],
    ['blocks', 8, 13, 'digits'],
    ['count', 14, 21, 'digits'],
    ['hash', 22, 31, 'digits'],
    ['debits', 32, 43, 'digits'],
    ['credits', 44, 55, 'digits'],
    ['reserved', 56, 94, 'blank'],
  ],
}

/** Which type of record may follow which. `.` is the end. */
const order = /^15(67?)+8(5(67?)+8)*9\.$/

interface Line {
  readonly number: number
  readonly type: string
  readonly get: (field: string) => string
}

export function parseAch(file: Buffer): AchFile {
  const problems: string[] = []
  const lines = readLines(file.toString('latin1'), problems)
  const types = lines.map(({ type }) => type).join('')
  if (!order.test(`${types}.`)) problems.push(`the records are in the order ${types.slice(0, 40)}`)
  for (const line of lines) checkFields(line, problems)

  const entries: AchEntry[] = []
  const totals = { count: 0n, hash: 0n, credits: 0n }
  let inBatch = { ...totals }
  let header: Line | undefined
  let lastTrace = ''
  let batches = 0n
  lines.forEach((line, index) => {
    const wrong = (what: string) => problems.push(`line ${line.number}: ${what}`)
    const expectNumber = (field: string, value: bigint) => {
      if (whole(line.get(field)) !== value) wrong(`${field} is ${line.get(field)} instead of ${value}`)
    }
    if (line.type === '5') {
      header = line
      lastTrace = ''
      inBatch = { count: 0n, hash: 0n, credits: 0n }
      batches++
      expectNumber('batch', batches)
    }
    if (line.type === '6') {
      inBatch.count++
      inBatch.hash += whole(line.get('rdfi'))
      inBatch.credits += whole(line.get('amount'))
      if (!checks(line.get('rdfi') + line.get('checkDigit')))
        wrong('the routing number has a wrong check digit')
      const isPrenote = line.get('transaction').endsWith('3')
      if ((whole(line.get('amount')) === 0n) !== isPrenote) wrong('only a prenote has an amount of zero')
      const trace = line.get('trace')
      if (!trace.startsWith(header?.get('odfi') ?? '')) wrong('the trace is not of the ODFI')
      if (trace <= lastTrace) wrong(`the trace ${trace} is not above ${lastTrace}`)
      lastTrace = trace
      const next = lines[index + 1]
      if ((line.get('addenda') === '1') !== (next?.type === '7')) wrong('the addenda indicator is wrong')
      if (next?.type === '7' && next.get('entrySequence') !== trace.slice(8)) {
        wrong('the addenda belong to another entry')
      }
      entries.push({
        routingNumber: line.get('rdfi') + line.get('checkDigit'),
        account: line.get('account').trimEnd(),
        cents: whole(line.get('amount')),
        id: line.get('id').trimEnd(),
        name: line.get('name').trimEnd(),
        trace,
        information: next?.type === '7' ? next.get('information').trimEnd() : '',
      })
    }
    if (line.type === '7') inBatch.count++
    if (line.type === '8') {
      for (const field of ['serviceClass', 'companyId', 'odfi', 'batch']) {
        if (line.get(field) !== header?.get(field)) wrong(`${field} differs from the header of the batch`)
      }
      expectSums(inBatch)
      totals.count += inBatch.count
      totals.hash += inBatch.hash
      totals.credits += inBatch.credits
    }
    if (line.type === '9') {
      expectNumber('batches', batches)
      expectNumber('blocks', BigInt(Math.ceil(lines.length / 10)))
      expectSums(totals)
    }
    function expectSums({ count, hash, credits }: typeof totals) {
      expectNumber('count', count)
      expectNumber('hash', hash % 10n ** 10n)
      expectNumber('debits', 0n)
      expectNumber('credits', credits)
    }
  })

  const [first] = lines
  const created = isoDate(first?.get('created') ?? '')
  const effectiveOn = isoDate(header?.get('effective') ?? '')
  if (first && !checks(first.get('destination').trim())) {
    problems.push('line 1: the destination has a wrong check digit')
  }
  // The first banking day on which the file can be processed.
  const processed = openDays.findIndex((day) => day >= created)
  const wait = openDays.indexOf(effectiveOn) - processed
  if (!openDays.includes(effectiveOn)) problems.push(`the effective date ${effectiveOn} is no banking day`)
  else if (wait < 1 || wait > 2)
    problems.push(`the effective date is ${wait} banking days after the file's date`)
  return { fileId: first?.get('fileId') ?? '', effectiveOn, entries, problems }
}

/** The records without the nines that fill the last block. */
function readLines(text: string, problems: string[]): Line[] {
  if (!text.endsWith('\r\n')) problems.push('the last line has no end')
  const all = text.split('\r\n').slice(0, -1)
  if (all.length % 10 !== 0) problems.push(`${all.length} lines are no whole blocks`)
  all.forEach((line, index) => {
    if (line.length !== 94) problems.push(`line ${index + 1} has ${line.length} characters`)
    if (/[^\x20-\x7e]/.test(line)) problems.push(`line ${index + 1} has characters that are not allowed`)
  })
  const control = all.findIndex((line) => line.startsWith('9'))
  const records = all.slice(0, control + 1)
  const fill = all.slice(control + 1)
  if (fill.some((line) => !/^9{94}$/.test(line))) problems.push('the fill is not all nines')
  if (fill.length > 9) problems.push('the fill is longer than a block')
  return records.map((record, index) => {
    const type = record.charAt(0)
    const fields = layouts[type] ?? []
    const get = (name: string) => {
      const field = fields.find(([each]) => each === name)
      return field ? record.slice(field[1] - 1, field[2]) : ''
    }
    return { number: index + 1, type, get }
  })
}

function checkFields({ number, type, get }: Line, problems: string[]): void {
  for (const [name, from, to, kind] of layouts[type] ?? []) {
    const value = get(name)
    const isRight =
      value.length === to - from + 1 &&
      (kind === 'text' ||
        (kind === 'digits' && /^\d+$/.test(value)) ||
        (kind === 'blank' && /^ +$/.test(value)) ||
        (kind instanceof RegExp && kind.test(value)))
    if (!isRight) problems.push(`line ${number}: ${name} is "${value}"`)
  }
}

const whole = (digits: string): bigint => (/^\d+$/.test(digits) ? BigInt(digits) : -1n)

/** ABA's check: the digits times 3, 7, 1, 3, 7, 1 … add up to a multiple of ten. */
function checks(routingNumber: string): boolean {
  const sum = [...routingNumber].reduce(
    (total, digit, index) => total + Number(digit) * ([3, 7, 1][index % 3] ?? 0),
    0,
  )
  return sum > 0 && sum % 10 === 0
}

const isoDate = (yymmdd: string): string => yymmdd.replace(/^(..)(..)(..)$/, '20$1-$2-$3')

/** All banking days of the published years. */
const openDays = Object.entries(closedDays).flatMap(([year, closed]) => {
  const days: string[] = []
  for (let at = Date.UTC(Number(year), 0, 1); at < Date.UTC(Number(year) + 1, 0, 1); at += 86_400_000) {
    const day = new Date(at).toISOString().slice(0, 10)
    if (new Date(at).getUTCDay() % 6 !== 0 && !closed.includes(day)) days.push(day)
  }
  return days
})
