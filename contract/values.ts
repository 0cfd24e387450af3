import { z } from 'zod'
import { parseDollars } from '#domain/money.ts'

/** The values that the other schemas are made of. */

export const id = z.uuid()
/** The parameters of an address with an id. */
export const withId = z.object({ id })
export const time = z.iso.datetime()

/** Money and percentages in answers: "93.00". */
export const decimal = z.string().regex(/^-?\d+\.\d{2}$/)

/**
 * Money in requests: dollars as a number or a string, parsed to cents.
 * @param message the error of the field
 */
export function dollars(message: string) {
  return z.union([z.string().max(32), z.number()], { error: message }).transform((amount, context) => {
    const cents = parseDollars(amount)
    if (cents !== undefined) return cents
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
}

// PostgreSQL text cannot hold NUL, and half a surrogate pair is not valid UTF-8.
const storable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

/** Text typed by a person, trimmed. */
export function text({ max, required }: { max: number; required?: string }) {
  const base = z
    .string(required === undefined ? undefined : { error: required })
    .trim()
    .refine(storable, 'This text has characters that cannot be stored')
    .max(max, `At most ${max} characters`)
  return required === undefined ? base : base.min(1, required)
}

/** Text without line breaks, such as a name, so it cannot start a paragraph or fake a header in an email. */
export function line({ max, required }: { max: number; required: string }) {
  return text({ max, required }).refine(
    (value) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value),
    'Please use a single line without control characters',
  )
}

/** Optional text. Blank counts as missing. */
export function optionalText(max: number) {
  return text({ max })
    .optional()
    .transform((value) => value || undefined)
}

/** An email address. Compared case-insensitively. */
export function email(message: string) {
  return z
    .string({ error: message })
    .trim()
    .max(255, message)
    .refine(storable, message)
    .pipe(z.email(message))
}

/** The `limit` parameter of a list. */
export function atMost(max: number) {
  const message = `Limit is a number from 1 to ${max}`
  return z
    .string()
    .regex(/^\d{1,3}$/, message)
    .transform(Number)
    .pipe(z.int().min(1, message).max(max, message))
}

/** The parameters of a list that comes in pages, newest first. */
export const page = z.object({
  limit: atMost(200).default(50),
  cursor: id.optional().describe('Where the page starts. Use the address in the `Link` header'),
})
export type Page = z.output<typeof page>

/** Text to search lists for, taken literally. */
export const searchText = z.string().trim().max(200).refine(storable, 'This text cannot be searched')

/** The answer of a call that only reports success. */
export const done = z.object({ message: z.string() })
