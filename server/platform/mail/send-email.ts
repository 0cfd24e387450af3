import type { FastifyBaseLogger } from 'fastify'
import { screens } from '#contract/screens.ts'
import type { Site } from '#server/platform/config/site.ts'
import { cardNameIn } from '#words/card-name.ts'
import { type Locale, withLocale } from '#words/locales.ts'
import type { Translate } from '#words/translate.ts'
import { type Mailer, MailRefused } from './mailer.ts'
import { type EmailContent, type Link, renderEmail } from './template.ts'

export interface Recipient {
  readonly email: string
  readonly firstName: string
  /** Whether the owner of the account has confirmed this address. */
  readonly verified: boolean
  readonly locale: Locale
}

/** A recipient who is not greeted by name and gets nothing that a user typed. */
export function anonymousRecipient(email: string, locale: Locale): Recipient {
  return { email, firstName: '', verified: false, locale }
}

/**
 * Text that users typed, for one recipient. Anyone can register anyone's address, so an unconfirmed address gets nothing that
 * a stranger may have typed. Text by staff does not need this.
 */
export interface UserText {
  readonly greeting: string
  /** The text, or '' if the address is not confirmed. */
  typed(text: string): string
}

interface EmailContext {
  readonly site: Site
  readonly log: FastifyBaseLogger
  readonly words: Readonly<Record<Locale, Translate>>
}

export interface EmailOptions {
  readonly to: Recipient
  /** Must pass everything that a user typed through `userText`. */
  readonly compose: (t: Translate, userText: UserText) => EmailContent
  readonly id: string
  /** Why the recipient gets it. By default, because of their account. */
  readonly because?: 'contact' | 'invitation'
  /** For sellers, who choose what is mailed. */
  readonly footer?: (t: Translate) => EmailFooter
}

interface EmailFooter {
  readonly links: readonly Link[]
  readonly unsubscribeUrl?: string | undefined
}

/**
 * Sends the email of a job in the recipient's language, with the job's id so that duplicates can be detected. Logs and drops an
 * email that can never be sent.
 */
export async function sendEmail(
  { site, log, words }: EmailContext,
  mailer: Mailer,
  { to, compose, id, because, footer }: EmailOptions,
): Promise<void> {
  if (to.email.endsWith(DELETED)) return
  try {
    const t = words[to.locale]
    const content = compose(t, userTextFor(t, to))
    const { links = [], unsubscribeUrl } = footer?.(t) ?? {}
    const about = `${t(`mail.because.${because ?? 'account'}`)}\n${t(site.replyTo ? 'mail.replies.read' : 'mail.replies.unread')}`
    const email = renderEmail(t, content, site, { about, links: [...contactLinks(t, site), ...links] })
    await mailer.sendMail({ to: to.email, id, ...email, unsubscribeUrl })
  } catch (err) {
    if (!(err instanceof MailRefused)) throw err
    log.warn({ err, jobId: id }, 'cannot send this email; it is dropped')
  }
}

function userTextFor(t: Translate, { firstName, verified }: Recipient): UserText {
  return {
    greeting: verified ? t('mail.greetingByName', { name: firstName }) : t('mail.greeting'),
    typed: (text) => (verified ? text : ''),
  }
}

/** The contact form, if replies are not read. */
function contactLinks(t: Translate, site: Site): Link[] {
  return site.replyTo ? [] : [{ label: t('mail.footer.contact'), url: linkTo(site, t.locale, '/contact') }]
}

/** The email of a deleted account. No domain can end like this (RFC 2606), and nothing is sent to it. */
export const emailOfDeleted = (id: string): string => `${id}${DELETED}`
const DELETED = '@deleted.invalid'

/** The full address of a screen in a language. */
export function linkTo({ publicUrl }: Pick<Site, 'publicUrl'>, locale: Locale, path: string): string {
  return `${publicUrl}${withLocale(locale, path)}`
}

interface Card {
  readonly brandName: string
  readonly unlistedBrand: boolean
}

/** The brand, or '' if it may not be named: the seller typed the name of an unlisted one. */
export function brandOf({ brandName, unlistedBrand }: Card, userText: UserText): string {
  return unlistedBrand ? userText.typed(brandName) : brandName
}

/** "your Amazon card", for subjects. */
export function cardName(t: Translate, card: Card, userText: UserText): string {
  const brand = brandOf(card, userText)
  return brand ? t('mail.card', { card: cardNameIn(t, brand) }) : t('mail.cardUnnamed')
}

/** The full address of the screen of one submission. */
export function linkToCard(site: Pick<Site, 'publicUrl'>, locale: Locale, giftCardId: string): string {
  return linkTo(site, locale, `${screens.accountCard.path}?id=${giftCardId}`)
}
