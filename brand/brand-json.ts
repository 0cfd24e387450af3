import { z } from 'zod'
import { paymentTypes } from '#domain/payment-methods.ts'
import { heroLayouts, type LiveFigure, type Localized, liveFigures } from '#domain/shop-brand.ts'

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

const minimum = 'must be a whole number from 2 on'
const claim = object({
  figure,
  text: localized(40),
  minimum: z.int({ error: minimum }).min(2, { error: minimum }).optional(),
})
  .refine(({ figure, minimum }) => minimum === undefined || typeof figure === 'object', {
    path: ['minimum'],
    error: 'must be left out: only live figures have one',
  })
  .transform(({ figure, text, minimum }) => ({
    figure: typeof figure === 'string' || minimum === undefined ? figure : { ...figure, minimum },
    text,
  }))

const zone = 'must be a time zone like America/New_York'

function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    // Abbreviations like EST know no daylight saving time.
    return name.includes('/')
  } catch {
    return false
  }
}

const times = 'must be an opening and a later closing time, like 09:00-18:00'
/** Becomes minutes after midnight. */
const openTimes = z
  .string({ error: times })
  .regex(/^\d\d:[0-5]\d-\d\d:[0-5]\d$/, { error: times })
  .transform((text): [number, number] => {
    const [hour = 0, minute = 0, endHour = 0, endMinute = 0] = text.split(/[:-]/).map(Number)
    return [hour * 60 + minute, endHour * 60 + endMinute]
  })
  .refine(([opens, closes]) => opens < closes && closes <= 24 * 60, { error: times })

const week = object({
  sun: openTimes,
  mon: openTimes,
  tue: openTimes,
  wed: openTimes,
  thu: openTimes,
  fri: openTimes,
  sat: openTimes,
})
  .partial()
  .refine((days) => Object.keys(days).length > 0, { error: 'must have at least one day' })

const families =
  'must be font families like "Avenir Next, Arial, sans-serif", or typeface for your typeface.woff2'
const FAMILY = '[A-Za-z][A-Za-z0-9 -]{0,40}'
const stack = z
  .string({ error: families })
  .regex(new RegExp(`^${FAMILY}(, *${FAMILY}){0,9}$`), { error: families })
const radius = 'must be the pixels of the largest corners, from 0 to 24'
const hero = `must be one of ${heroLayouts.join(', ')}`

const phone = 'must be a phone number like +1 (212) 555-0100'
const method = `must be one of ${paymentTypes.join(', ')}`

/** The file brand.json. */
export const brandJson = object({
  name: line(60),
  support: object({
    email: z.email({ error: 'must be one email address' }).max(320),
    phone: z.string({ error: phone }).regex(PHONE_NUMBER, { error: phone }),
    hours: localized(100),
    openingHours: object({ zone: z.string({ error: zone }).refine(isZone, { error: zone }), week }),
  })
    .partial()
    .refine(({ hours, openingHours }) => hours || !openingHours, {
      path: ['openingHours'],
      error: 'must have hours beside it, which say the same as a text',
    }),
  company: object({
    name: line(100),
    address: line(200),
    license: localized(100).optional(),
    person: object({ name: line(60), role: localized(60) }).optional(),
  }),
  type: object({ text: stack, headings: stack }).partial(),
  radius: z.number({ error: radius }).min(0, { error: radius }).max(24, { error: radius }),
  hero: z.enum(heroLayouts, { error: hero }),
  claims: z.array(claim, { error: 'must be a list' }).max(6, { error: 'must have at most 6 entries' }),
  payoutMethods: z
    .array(z.enum(paymentTypes, { error: method }), { error: 'must be a list' })
    .min(1, { error: 'must have an entry' }),
}).partial()
