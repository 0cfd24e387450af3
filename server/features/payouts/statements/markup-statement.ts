import { setImmediate } from 'node:timers/promises'
import { Parser } from 'htmlparser2'
import { visibleEnd } from '#domain/card-number.ts'
import {
  BadLines,
  centsOf,
  dayOf,
  requireFewLines,
  type Statement,
  type StatementLine,
  unreadable,
} from './statement.ts'

/**
 * Reads OFX, QFX and camt.053. OFX 1 is SGML: its values have no closing tags. htmlparser2 reads such files and XML alike as a stream
 * of tags and texts. It knows only XML's own entities, so nothing can be expanded. Document types are refused too.
 *
 * Sources: OFX 2.2, 11.4.4 Statement transaction; ISO 20022, camt.053.001, Ntry.
 */
export async function readMarkupStatement(text: string): Promise<Statement> {
  const isOfx = /<OFX>/i.test(text.slice(0, HEAD))
  const reader = isOfx ? new OfxReader() : new CamtReader()
  const newlines = new LineCounter(text)
  let depth = 0
  let attributeCount = 0
  let isComplete = false
  const parser: Parser = new Parser(
    {
      onprocessinginstruction(name) {
        if (/^!doctype/i.test(name)) throw unreadable('statement_unknown')
      },
      onattribute() {
        attributeCount += 1
        if (attributeCount > MAX_ATTRIBUTES) throw unreadable('statement_unknown')
      },
      onopentag(name, attributes) {
        depth += 1
        attributeCount = 0
        if (depth > MAX_DEPTH) throw unreadable('statement_unknown')
        reader.open(plainName(name, isOfx), attributes, () => newlines.lineAt(parser.startIndex))
      },
      ontext: (data) => reader.text(data),
      onclosetag(name, isImplied) {
        depth -= 1
        const tag = plainName(name, isOfx)
        if (isImplied && (tag === 'STMTTRN' || tag === 'Ntry')) throw unreadable('statement_cut_off')
        reader.close(tag)
        if (depth === 0 && !isImplied) isComplete = true
      },
    },
    { xmlMode: true },
  )
  for (let start = 0; start < text.length; start += CHARACTERS_AT_ONCE) {
    parser.write(text.slice(start, start + CHARACTERS_AT_ONCE))
    requireFewLines(reader.lines.length)
    await setImmediate()
  }
  parser.end()
  reader.bad.requireNone()
  if (!isComplete) throw unreadable('statement_cut_off')
  if (!reader.isStatement) throw unreadable('statement_unknown')
  return { format: isOfx ? 'ofx' : 'camt', lines: reader.lines }
}

/** Where the first tag has to be, in characters. */
const HEAD = 4000
/** Statements have about 15 levels. */
const MAX_DEPTH = 100
/** Of one tag. */
const MAX_ATTRIBUTES = 100
/** What is read before other requests get a turn, which takes some milliseconds. */
const CHARACTERS_AT_ONCE = 64 * 1024
/** Of a value. */
const MAX_LENGTH = 500

/** Drops the prefix of its namespace. OFX is written in any case. */
function plainName(name: string, isOfx: boolean): string {
  const local = name.slice(name.indexOf(':') + 1)
  return isOfx ? local.toUpperCase() : local
}

/** The line of a position. Positions only increase. */
class LineCounter {
  readonly #text: string
  #position = 0
  #line = 1

  constructor(text: string) {
    this.#text = text
  }

  lineAt(position: number): number {
    for (; this.#position < position; this.#position++) {
      if (this.#text[this.#position] === '\n') this.#line += 1
    }
    return this.#line
  }
}

type Values = Record<string, string>
type Attributes = Readonly<Record<string, string>>

/** A value has its own tag. What follows a closing tag is only the space before the next one. */
class OfxReader {
  readonly lines: StatementLine[] = []
  readonly bad = new BadLines()
  isStatement = false
  #tag = ''
  #account = ''
  #currency = 'USD'
  #entry: { readonly line: number; readonly values: Values } | undefined

  open(tag: string, _: Attributes, line: () => number): void {
    this.#tag = tag
    if (tag === 'STMTRS' || tag === 'CCSTMTRS') {
      this.isStatement = true
      this.#account = ''
    }
    if (tag === 'STMTTRN') this.#entry = { line: line(), values: {} }
  }

  text(data: string): void {
    if (this.#entry) append(this.#entry.values, this.#tag, data)
    else if (this.#tag === 'ACCTID') this.#account += data.trim()
    else if (this.#tag === 'CURDEF' && data.trim()) this.#currency = data.trim()
  }

  close(tag: string): void {
    this.#tag = ''
    if (tag !== 'STMTTRN' || !this.#entry) return
    const { line, values } = this.#entry
    this.#entry = undefined
    const { DTPOSTED = '', TRNAMT = '', FITID, NAME, MEMO, REFNUM, CHECKNUM, TRNTYPE = '' } = trimmed(values)
    const [day, amount] = [dayOf(DTPOSTED), centsOf(TRNAMT)]
    if (day === undefined) this.bad.add(line, 'statement_day', DTPOSTED)
    else if (amount === undefined) this.bad.add(line, 'statement_amount', TRNAMT)
    else if (this.#currency !== 'USD') this.bad.add(line, 'statement_currency', this.#currency)
    else {
      this.lines.push({
        ...{ line, day, amount, account: visibleEnd(this.#account) },
        text: [NAME, MEMO === NAME ? '' : MEMO].filter(Boolean).join(' '),
        id: FITID,
        reference: FITID ?? REFNUM ?? CHECKNUM,
        isFee: TRNTYPE === 'FEE' || TRNTYPE === 'SRVCHG',
      })
    }
  }
}

/** A value is known by its path within the entry, because a date or a reference has the same tag in several places. */
class CamtReader {
  readonly lines: StatementLine[] = []
  readonly bad = new BadLines()
  isStatement = false
  readonly #path: string[] = []
  #account = ''
  #entry: { readonly line: number; readonly values: Values; currency: string } | undefined

  open(tag: string, { Ccy }: Attributes, line: () => number): void {
    this.#path.push(tag)
    if (tag === 'Stmt') {
      this.isStatement = true
      this.#account = ''
    }
    if (tag === 'Ntry') this.#entry = { line: line(), values: {}, currency: 'USD' }
    else if (this.#entry && Ccy && this.#pathInEntry() === 'Amt') this.#entry.currency = Ccy
  }

  text(data: string): void {
    if (this.#entry) append(this.#entry.values, this.#pathInEntry(), data)
    else if (/Stmt\/Acct\/Id\/(IBAN|Othr\/Id)$/.test(this.#path.join('/'))) this.#account += data.trim()
  }

  close(tag: string): void {
    this.#path.pop()
    if (tag !== 'Ntry' || !this.#entry) return
    const { line, values, currency } = this.#entry
    this.#entry = undefined
    const found = trimmed(values)
    // Pending entries can still change. They are in a later statement.
    if ((found['Sts/Cd'] ?? found.Sts ?? 'BOOK') !== 'BOOK') return
    const given = found['BookgDt/Dt'] ?? found['BookgDt/DtTm'] ?? found['ValDt/Dt'] ?? ''
    const day = dayOf(given)
    const amount = /^\d/.test(found.Amt ?? '') ? centsOf(found.Amt ?? '') : undefined
    const isKnown = found.CdtDbtInd === 'DBIT' || found.CdtDbtInd === 'CRDT'
    if (day === undefined) this.bad.add(line, 'statement_day', given)
    else if (amount === undefined || !isKnown) this.bad.add(line, 'statement_amount', found.Amt)
    else if (currency !== 'USD') this.bad.add(line, 'statement_currency', currency)
    else {
      const texts = [
        found.AddtlNtryInf,
        found['NtryDtls/TxDtls/RmtInf/Ustrd'],
        found['NtryDtls/TxDtls/AddtlTxInf'],
      ]
      const id = knownReference(found.AcctSvcrRef)
      this.lines.push({
        ...{ line, day, account: visibleEnd(this.#account), id },
        amount: found.CdtDbtInd === 'DBIT' ? -amount : amount,
        text: [...new Set(texts)].filter(Boolean).join(' '),
        reference: id ?? knownReference(found.NtryRef),
        isFee:
          found['BkTxCd/Domn/Fmly/SubFmlyCd'] === 'CHRG' || found['BkTxCd/Domn/Fmly/SubFmlyCd'] === 'FEES',
      })
    }
  }

  #pathInEntry(): string {
    return this.#path.slice(this.#path.lastIndexOf('Ntry') + 1).join('/')
  }
}

/** Undefined if the bank has no reference. */
const knownReference = (reference: string | undefined) =>
  /^(NOTPROVIDED|NONREF)?$/i.test(reference ?? '') ? undefined : reference

function append(values: Values, name: string, data: string): void {
  const before = values[name] ?? ''
  if (before.length < MAX_LENGTH) values[name] = before + data
}

function trimmed(values: Values): Partial<Values> {
  const entries = Object.entries(values).map(([name, value]) => [name, value.replace(/\s+/g, ' ').trim()])
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}
