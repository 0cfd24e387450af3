import { z } from 'zod'
import { parseDollars, toDecimal } from '#domain/money.ts'
import type { FieldCode } from '#words/keys.ts'

/**
 * The values that the other schemas are made of. Times and amounts in answers are codecs: handlers return dates and cents, and
 * the server encodes them. So a schema has two types: `z.input` is what a client sees, `z.output` what a handler returns.
 */

export const id = z.uuid()
/** The parameters of an address with an id. */
export const withId = z.object({ id })
export const time = z.iso.datetime()
/** Whether a day or time is in the years 1900 to 2999: years 0 and 10000 do not sort as texts, and PostgreSQL has no year 0. */
export const isUsualYear = (given: string): boolean => /^(19|2)/.test(given)

/** A time in requests, with any offset. */
export const moment = z.iso
  .datetime({ offset: true, error: 'time_invalid' satisfies FieldCode })
  .refine(isUsualYear, 'time_invalid' satisfies FieldCode)

/** Money and percentages in answers: "93.00". */
export const decimal = z.string().regex(/^-?\d+\.\d{2}$/)

/** A time in answers, in UTC. */
export const instant = /* @__PURE__ */ z.codec(time, z.date(), {
  decode: (sent) => new Date(sent),
  encode: (date) => date.toISOString(),
})

/** Money in answers: cents, sent as "93.00". */
export const money = /* @__PURE__ */ z.codec(decimal, z.int(), {
  decode: (sent) => Math.round(Number(sent) * 100),
  encode: toDecimal,
})

/** Percentages in answers: basis points, sent as "93.00". */
export const percent = money

/**
 * Money in requests: dollars as a number or a string, parsed to cents.
 * @param error of the field
 */
export function dollars(error: FieldCode) {
  return z.union([z.string().max(32), z.number()], { error }).transform((amount, context) => {
    const cents = parseDollars(amount)
    if (cents !== undefined) return cents
    context.addIssue({ code: 'custom', message: error })
    return z.NEVER
  })
}

// PostgreSQL text cannot hold NUL, and half a surrogate pair is not valid UTF-8.
const storable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

/** Text typed by a person, trimmed. */
export function text({ max, required }: { max: number; required?: FieldCode }) {
  const base = z
    .string(required === undefined ? undefined : { error: required })
    .trim()
    .refine(storable, 'characters_not_storable' satisfies FieldCode)
    .max(max, 'too_long' satisfies FieldCode)
  return required === undefined ? base : base.min(1, required)
}

/** Text without line breaks, such as a name, so it cannot start a paragraph or fake a header in an email. */
export function line({ max, required }: { max: number; required: FieldCode }) {
  return text({ max, required }).refine(
    (value) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value),
    'line_breaks' satisfies FieldCode,
  )
}

/** Optional text. Blank counts as missing. */
export function optionalText(max: number) {
  return text({ max })
    .optional()
    .transform((value) => value || undefined)
}

/** An email address. Compared case-insensitively. */
export function email(error: FieldCode) {
  return z.string({ error }).trim().max(255, error).refine(storable, error).pipe(z.email(error))
}

/** The `limit` parameter of a list. */
export function atMost(max: number) {
  const error = 'limit_out_of_range' satisfies FieldCode
  const isLimit = (typed: string) => /^\d{1,3}$/.test(typed) && Number(typed) >= 1 && Number(typed) <= max
  return z
    .string()
    .refine(isLimit, { error, params: { maximum: max } })
    .transform(Number)
    .pipe(z.int().min(1).max(max))
}

/** The parameters of a list that comes in pages, newest first. */
export const page = z.object({
  limit: atMost(200).default(50),
  cursor: id.optional().describe('Where the page starts. Use the address in the `Link` header'),
})
export type Page = z.output<typeof page>

/** Text to search lists for, taken literally. */
export const searchText = z
  .string()
  .trim()
  .max(200)
  .refine(storable, 'search_invalid' satisfies FieldCode)

/** A seller or one of their submissions: refine with `...isAboutOne` to ask for exactly one. */
export const about = { userId: id.optional(), submissionId: id.optional() }
export const isAboutOne = [
  ({ userId, submissionId }: { userId?: unknown; submissionId?: unknown }) =>
    (userId === undefined) !== (submissionId === undefined),
  { error: 'note_unclear' satisfies FieldCode, path: ['userId'] as PropertyKey[] },
] as const

/** The answer of a call that only reports success. */
export const done = z.object({ message: z.string() })
