import { negotiate } from '@fastify/accept-negotiator'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Words } from '#server/context.ts'
import { type Locale, locales } from '#words/locales.ts'
import type { Translate } from '#words/translate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The texts in the caller's language. */
    readonly words: Translate
    /** The language of a signed-in seller who calls a route for anyone. */
    sellerLocale?: Locale | undefined
  }
}

/** Gives each request the texts in the language of its account, or else of its `Accept-Language` header. */
export function answerInLanguages(app: FastifyInstance, words: Words): void {
  app.decorateRequest('words', {
    getter(this: FastifyRequest) {
      return words[localeOf(this)]
    },
  })
}

/** The calls of staff, whose screens are in English. */
export const STAFF_PATH = '/api/admin/'

/** The language to answer a request in. */
export function localeOf({ actor, sellerLocale, routeOptions, headers }: FastifyRequest): Locale {
  if (actor?.kind === 'seller') return actor.locale
  // Staff screens are in English, including their sign-in.
  if (routeOptions.config.contract?.path.startsWith(STAFF_PATH)) return 'en'
  if (sellerLocale) return sellerLocale
  // Regions and case do not matter: es-MX is es.
  const wanted = (headers['accept-language'] ?? '').toLowerCase().replace(/-\w+/g, '')
  return (negotiate(wanted, [...locales]) as Locale | null) ?? 'en'
}
