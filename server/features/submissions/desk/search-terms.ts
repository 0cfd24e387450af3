import { validate as isUuid } from 'uuid'
import { normalizeCardNumber } from '#domain/card-number.ts'
import { parseDollars } from '#domain/money.ts'
import type { Status } from '#domain/submission.ts'
import { likePattern } from '#server/platform/database/queries.ts'

export interface StaffFilter {
  readonly status?: Status | undefined
  readonly brand?: string | undefined
  /** Text to search for, as typed. */
  readonly q?: string | undefined
  /** The blind index of that text, were it a card number. */
  readonly numberIndex?: Buffer | undefined
  /** Whether the text may be the id of a submission's transaction as well. */
  readonly byTransaction?: boolean | undefined
  /** Answered submissions before all others; a search has no such order. */
  readonly answeredFirst?: 'true' | undefined
}

/** What a filter asks the database for; a field that is not there is not asked for. */
export interface Terms {
  readonly status?: Status
  readonly brand?: string
  /** The whole text, as a pattern. */
  readonly text?: string
  readonly username?: string
  /** A pattern for the index over e-mails. */
  readonly email?: string
  /** What an e-mail has besides, in small letters. */
  readonly wholeEmail?: string
  /** The blind index of a card's number. */
  readonly number?: Buffer
  readonly lastFour?: string
  readonly cents?: number
  readonly id?: string
  /** A pattern of an id. */
  readonly idPart?: string
  readonly transaction?: string
}

/** What a filter asks for, and by everything that its text may be. */
export function termsOf({ status, brand, q, numberIndex, byTransaction }: StaffFilter): Terms {
  const listed = { ...(status && { status }), ...(brand !== undefined && { brand }) }
  if (!q) return listed
  const number = normalizeCardNumber(q)
  const cents = parseDollars(q.replace(/^\$/, '').replaceAll(',', ''))
  return {
    ...listed,
    text: likePattern(q),
    ...sellerTerms(q),
    ...(numberIndex && { number: numberIndex }),
    ...([...number].length <= 4 && { lastFour: number }),
    ...(cents !== undefined && { cents }),
    ...idTerms(q, byTransaction),
  }
}

/** The index knows parts of three characters. */
const SHORTEST_INDEXED = 3

/**
 * A part of a username or an e-mail. Domains are shared by very many, so the index is asked for what stands before the @
 * alone, and the rest is compared with what it finds. No username has an @.
 */
function sellerTerms(q: string): Terms {
  const [local = '', domain] = q.split('@')
  if (domain === undefined) return { username: likePattern(q), email: likePattern(q) }
  if (local.length < SHORTEST_INDEXED) return { email: likePattern(q) }
  return { email: likePattern(`${local}@`), wholeEmail: q.toLowerCase() }
}

function idTerms(q: string, byTransaction = false): Terms {
  if (isUuid(q)) return { id: q, ...(byTransaction && { transaction: q }) }
  return /^[0-9a-f-]{1,36}$/i.test(q) ? { idPart: likePattern(q) } : {}
}
