import { z } from 'zod'
import { parseDollars } from '#domain/money.ts'

/** The small values that every other schema is made of. */

export const id = z.uuid()
/** The parameters of an address that names one thing. */
export const withId = z.object({ id })
export const time = z.iso.datetime()

/** Money and percentages in answers: "93.00". */
export const decimal = z.string().regex(/^-?\d+\.\d{2}$/)

/**
 * Money in requests: a number or a string of dollars, read to cents.
 * @param message what the field's error says
 */
export function dollars(message: string) {
  return z.union([z.string().max(32), z.number()], { error: message }).transform((amount, context) => {
    const cents = parseDollars(amount)
    if (cents !== undefined) return cents
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
}

// PostgreSQL's text can't hold NUL, and half a surrogate pair can't be stored as UTF-8.
const storable = (text: string): boolean => !text.includes('\u0000') && text.isWellFormed()

/** Text as a person typed it, without the white space around it. */
export function text({ max, required }: { max: number; required?: string }) {
  const base = z
    .string(required === undefined ? undefined : { error: required })
    .trim()
    .refine(storable, 'This text has characters that cannot be stored')
    .max(max, `At most ${max} characters`)
  return required === undefined ? base : base.min(1, required)
}

/** A text that stays on one line, such as a name: in a mail it can't begin a paragraph or look like another header. */
export function line({ max, required }: { max: number; required: string }) {
  return text({ max, required }).refine(
    (value) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value),
    'Please use a single line without control characters',
  )
}

/** An optional text; blank counts as not given. */
export function optionalText(max: number) {
  return text({ max })
    .optional()
    .transform((value) => value || undefined)
}

/** An e-mail address, compared without case. */
export function email(message: string) {
  return z
    .string({ error: message })
    .trim()
    .max(255, message)
    .refine(storable, message)
    .pipe(z.email(message))
}

/** How many of a list are asked for, in an address, where everything is text. */
export function atMost(max: number) {
  const message = `Limit is a number from 1 to ${max}`
  return z
    .string()
    .regex(/^\d{1,3}$/, message)
    .transform(Number)
    .pipe(z.int().min(1, message).max(max, message))
}

/** How a growing list is asked for: newest first, page by page. */
export const page = z.object({
  limit: atMost(200).default(50),
  cursor: id.optional().describe('Where the page starts: take the address in the `Link` header'),
})
export type Page = z.output<typeof page>

/** Text to search lists for, taken literally. */
export const searchText = z.string().trim().max(200).refine(storable, 'This text cannot be searched')

/** Answer of a call that has nothing to say but that it worked. */
export const done = z.object({ message: z.string() })
