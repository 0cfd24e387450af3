import { type AccountType, bankDigits, isRoutingNumber } from '#domain/payment-methods.ts'
import { shortReferenceOf } from '#domain/reference.ts'
import type { NachaSettings } from '#server/platform/config/site.ts'
import { easternTime, settlementDay } from './bank-days.ts'
import type { FilePayment, FileRequest } from './request.ts'

/**
 * An ACH file of PPD credits, one batch with one addenda record for each entry. Positions and contents are from the record
 * layouts at https://moov-io.github.io/ach/file-structure/ and Appendix One and Three of the NACHA Operating Rules.
 */

const RECORD_LENGTH = 94
const BLOCKING_FACTOR = 10
/** The layouts define no line ending. */
const LINE_END = '\r\n'

const CREDITS_ONLY = '220'
/** Transaction codes. A bank whose account has the other type answers with a correction (C05) or a return. */
const CREDIT: Readonly<Record<AccountType, string>> = { checking: '22', savings: '32' }
/** For a prenote: an entry of zero dollars, with which the bank only checks the account. */
const PRENOTE: typeof CREDIT = { checking: '23', savings: '33' }
const ADDENDA_PER_ENTRY = 1
/** The only batch of its file. */
const BATCH = numeric(1, 7)

/** The last seven digits of a trace number are the payout's, so trace numbers start again after that many payouts. */
export const TRACE_NUMBERS = 10_000_000
const HASHES = 10_000_000_000

/** The records of the file. @throws {Error} if a payment lacks a valid bank account, or an amount or total has too many digits */
export function* nachaFile(request: FileRequest, nacha: NachaSettings): Generator<string> {
  // Traces must ascend, and start again after ten million payouts.
  const payments = request.payments.toSorted(
    (a, b) => sequenceOf(a.payoutNumber) - sequenceOf(b.payoutNumber),
  )
  const count = payments.length * (1 + ADDENDA_PER_ENTRY)
  const hash = numeric(
    payments.reduce((sum, { routingNumber }) => sum + bankOf(routingNumber), 0) % HASHES,
    10,
  )
  const debits = numeric(0, 12)
  const credits = numeric(
    payments.reduce((sum, { amount }) => sum + amount, 0),
    12,
  )
  const description = plainAscii(request.productName)
    .replace(/[*\\~]/g, '')
    .slice(0, 60)
  const blocks = Math.ceil((count + 4) / BLOCKING_FACTOR)

  yield fileHeader(request, nacha)
  yield batchHeader(request, nacha)
  for (const payment of payments) {
    yield entry(payment, nacha)
    yield addenda(payment, description)
  }
  yield line(
    '8',
    CREDITS_ONLY,
    numeric(count, 6),
    hash,
    debits,
    credits,
    text(nacha.companyId, 10),
    blank(25),
    nacha.odfi,
    BATCH,
  )
  yield line('9', numeric(1, 6), numeric(blocks, 6), numeric(count, 8), hash, debits, credits, blank(39))
  for (let made = count + 4; made < blocks * BLOCKING_FACTOR; made++)
    yield '9'.repeat(RECORD_LENGTH) + LINE_END
}

/**
 * The trace number of a payout's entry, by which the bank reports a return. Unique among ten million payouts, as long as
 * the settings keep their ODFI.
 */
export function traceNumberOf(payoutNumber: number, { odfi }: Pick<NachaSettings, 'odfi'>): string {
  return odfi + numeric(sequenceOf(payoutNumber), 7)
}

const sequenceOf = (payoutNumber: number): number => payoutNumber % TRACE_NUMBERS

function fileHeader({ batchNumber, madeAt }: FileRequest, nacha: NachaSettings): string {
  const { day, hour, minute } = easternTime(madeAt)
  return line(
    '1',
    '01',
    nacha.destination.padStart(10),
    nacha.origin.padStart(10),
    yymmdd(day),
    numeric(hour, 2) + numeric(minute, 2),
    fileIdOf(batchNumber),
    numeric(RECORD_LENGTH, 3),
    numeric(BLOCKING_FACTOR, 2),
    '1',
    text(nacha.destinationName, 23),
    text(nacha.companyName, 23),
    text(`B${batchNumber}`, 8),
  )
}

/** Distinguishes the files of one day. */
const fileIdOf = (batchNumber: number): string =>
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'.charAt((batchNumber - 1) % 36)

/**
 * The effective entry date alone asks for same-day settlement. The descriptive date, in which some banks want SD1300 or the like, is
 * optional and stays blank.
 */
function batchHeader({ madeAt, sameDay }: FileRequest, nacha: NachaSettings): string {
  return line(
    '5',
    CREDITS_ONLY,
    text(nacha.companyName, 16),
    blank(20),
    text(nacha.companyId, 10),
    'PPD',
    text(nacha.entryDescription, 10),
    blank(6),
    yymmdd(sameDay ? easternTime(madeAt).day : settlementDay(madeAt, nacha)),
    blank(3),
    '1',
    nacha.odfi,
    BATCH,
  )
}

function entry(payment: FilePayment, nacha: NachaSettings): string {
  const { payoutNumber, routingNumber, accountNumber, accountType, amount } = payment
  const { id, name } = individualOf(payment)
  const account = bankDigits(accountNumber ?? '')
  if (!isRoutingNumber(routingNumber ?? '') || !/^\d{1,17}$/.test(account)) {
    throw new Error(`Payout ${payoutNumber} has no valid bank account`)
  }
  return line(
    '6',
    (amount === 0 ? PRENOTE : CREDIT)[accountType],
    bankDigits(routingNumber ?? ''),
    text(account, 17),
    numeric(amount, 10),
    text(id, 15),
    text(name, 22),
    blank(2),
    String(ADDENDA_PER_ENTRY),
    traceNumberOf(payoutNumber, nacha),
  )
}

/** The payee of an entry, as in its record. Banks send both back with a return. */
export function individualOf({ reference, accountName }: Pick<FilePayment, 'reference' | 'accountName'>) {
  return {
    id: reference.slice(0, 15),
    name: (plainAscii(accountName) || 'ACCOUNT HOLDER').slice(0, 22).trim(),
  }
}

/** The reference that the seller sees, as the X12 segment REF: PPD addenda may not be free text. */
function addenda({ payoutNumber, payoutId }: FilePayment, description: string): string {
  return line(
    '7',
    '05',
    text(`REF*ZZ*${shortReferenceOf(payoutId)}*${description}\\`, 80),
    numeric(1, 4),
    numeric(sequenceOf(payoutNumber), 7),
  )
}

/** The first eight digits of a routing number. */
const bankOf = (routingNumber: string | null): number => Number(bankDigits(routingNumber ?? '').slice(0, 8))

const yymmdd = (day: string): string => day.replaceAll('-', '').slice(2)

function line(...fields: readonly string[]): string {
  const joined = fields.join('')
  if (!ASCII_RECORD.test(joined)) {
    throw new Error(`ACH record ${fields[0]} is not 94 ASCII characters`)
  }
  return joined + LINE_END
}

const ASCII_RECORD = /^[\x20-\x7e]{94}$/

const blank = (size: number): string => ' '.repeat(size)

const text = (value: string, size: number): string => value.slice(0, size).padEnd(size)

function numeric(value: number, size: number): string {
  const digits = String(value).padStart(size, '0')
  if (!/^\d+$/.test(digits) || digits.length > size) {
    throw new Error(`${value} does not fit in ${size} digits`)
  }
  return digits
}

/** "José Nuñez" -> "JOSE NUNEZ". Drops other scripts. */
function plainAscii(value: string): string {
  return value
    .toUpperCase()
    .replace(/[ØÆŒŁĐÐÞ’]/g, (letter) => latin[letter] ?? '')
    .normalize('NFKD')
    .replace(/\s+/g, ' ')
    .replace(/[^\x20-\x7e]/g, '')
    .trim()
}

/** Letters that do not decompose into a letter and its accent. */
const latin: Readonly<Record<string, string>> = {
  Ø: 'O',
  Æ: 'AE',
  Œ: 'OE',
  Ł: 'L',
  Đ: 'D',
  Ð: 'D',
  Þ: 'TH',
  '’': "'",
}
