import { z } from 'zod'
import { paymentTypes } from '#domain/payment-methods.ts'
import { type LiveFigure, type Localized, liveFigures } from '#domain/shop-brand.ts'

/** For `SUPPORT_PHONE` too. */
export const PHONE_NUMBER = /^[+(\d][\d ().-]{2,39}$/

const line = (max: number) => {
  const error = `must be 1 to ${max} characters in one line`
  return z
    .string({ error })
    .trim()
    .max(max, { error })
    .regex(/^\P{Cc}+$/u, { error })
}

export const inBoth = (text: string): Localized => ({ en: text, es: text })

/** One text for all languages, or one for each. */
const localized = (max: number) =>
  z.union([line(max).transform(inBoth), z.strictObject({ en: line(max), es: line(max) })], {
    error: `must be a text of at most ${max} characters, or {"en": "…", "es": "…"}`,
  })

const object = <Shape extends z.core.$ZodLooseShape>(shape: Shape) => {
  const keys = Object.keys(shape).join(', ')
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys'
        ? `must be left out: it is not one of ${keys}`
        : `must be an object with ${keys}`,
  })
}

const live = liveFigures.map((figure) => `live:${figure}`)
const figure = line(20)
  .refine((text) => !text.startsWith('live:') || live.includes(text), {
    error: `must be a text, or one of ${live.join(', ')}`,
  })
  .transform((text) => (text.startsWith('live:') ? { live: text.slice('live:'.length) as LiveFigure } : text))

const phone = 'must be a phone number like +1 (212) 555-0100'
const method = `must be one of ${paymentTypes.join(', ')}`

/** The file brand.json. */
export const brandJson = object({
  name: line(60),
  support: object({
    email: z.email({ error: 'must be one email address' }).max(320),
    phone: z.string({ error: phone }).regex(PHONE_NUMBER, { error: phone }),
    hours: localized(100),
  }).partial(),
  company: object({ name: line(100), address: line(200) }),
  claims: z
    .array(object({ figure, text: localized(40) }), { error: 'must be a list' })
    .max(6, { error: 'must have at most 6 entries' }),
  payoutMethods: z
    .array(z.enum(paymentTypes, { error: method }), { error: 'must be a list' })
    .min(1, { error: 'must have an entry' }),
}).partial()
