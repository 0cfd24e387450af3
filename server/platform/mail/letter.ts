import { sql } from 'drizzle-orm'
import { screens } from '#contract/screens.ts'
import { masked } from '#domain/card-number.ts'
import { toDollars } from '#domain/money.ts'
import type { LetterKind } from '#domain/notifications.ts'
import { type PaymentType, readBankAccountInfo } from '#domain/payment-methods.ts'
import { referenceOf, shortReferenceOf } from '#domain/reference.ts'
import { giftCards, users } from '#server/platform/database/schema.ts'
import { cardNameIn } from '#words/card-name.ts'
import type { Key } from '#words/keys.ts'
import type { Locale } from '#words/locales.ts'
import type { Translate, Values } from '#words/translate.ts'
import type { Fact, Said } from './template.ts'

/** An email as data. `sendLetter` writes it in the language of the recipient. */
export interface Letter {
  readonly kind: LetterKind
  readonly to: Recipient
  /** The seller whose settings may turn it off. It is always sent without one. */
  readonly sellerId?: string
  /** Why the recipient gets it. By default, because of their account. */
  readonly because?: 'contact' | 'invitation'
  readonly title: Key
  /** If it differs from the title. */
  readonly subject?: Key
  /** The first one is shown in lists of mails, so it says what the title does not. Empty ones are left out. */
  readonly paragraphs: readonly (Key | readonly [Key, Values] | Said | Empty)[]
  /** What the title and the paragraphs insert. */
  readonly values?: Values
  readonly facts?: readonly Fact[]
  readonly button?: LetterLink | undefined
  /** What else the recipient can do. */
  readonly otherLink?: LetterLink | undefined
  /** Runs when it was sent, or left out because the seller turned it off. */
  readonly afterwards?: () => Promise<void>
}

export interface LetterLink {
  readonly label: Key
  readonly path: string
}

type Empty = '' | 0 | false | null | undefined

/** A push as data. It stays on locked screens, so it never has card numbers, accounts or messages in it. */
export interface PushLetter {
  readonly kind: PushKind
  readonly values?: Values
  /** Shown instead of the text of its kind. */
  readonly text?: Key | undefined
  /** News about the same thing have the same topic: the newest replaces the others. */
  readonly topic: string
  /** What a press on the notification opens, in English. */
  readonly path: string
}

/** Those with texts. */
type PushKind = Key extends infer K ? (K extends `push.${infer Name}.title` ? Name : never) : never

export interface Recipient {
  readonly email: string
  /** The name in the greeting. Missing for mails without one. */
  readonly firstName?: string
  /** Whether the owner of the account has confirmed this address. */
  readonly verified: boolean
  readonly locale: Locale
}

/** The columns of a seller as the recipient of a mail. */
export const recipient = {
  email: users.email,
  firstName: users.firstName,
  verified: users.verified,
  locale: users.locale,
}

/** Whether payouts of the recipient wait until the address is confirmed. */
export const mustConfirm = sql<boolean>`not (${users.verified} or ${users.confirmationWaived})`

/** A recipient who is not greeted and gets nothing that a user typed. */
export function anonymousRecipient(email: string, locale: Locale): Recipient {
  return { email, verified: false, locale }
}

/**
 * What users typed, for this recipient. Anyone can register anyone's address, so an unconfirmed address gets nothing that a
 * stranger may have typed. Text by staff does not need this.
 */
export function typedFor({ verified }: Recipient, text: string): string {
  return verified ? text : ''
}

/** The email of a deleted account. No domain can end like this (RFC 2606), and nothing is sent to it. */
export const emailOfDeleted = (id: string): string => `${id}${DELETED}`
export const isDeleted = (email: string): boolean => email.endsWith(DELETED)
const DELETED = '@deleted.invalid'

interface Brand {
  readonly brandName: string
  readonly unlistedBrand: boolean
}

interface Card extends Brand {
  /** In cents. */
  readonly denomination: number
  readonly cardNumberLastFour: string | null
}

/** "your Amazon card", for titles. */
export function cardName(t: Translate, card: Brand, to: Recipient): string {
  const brand = brandOf(card, to)
  return brand ? t('mail.card', { card: cardNameIn(t, brand) }) : t('mail.cardUnnamed')
}

/** "Amazon •••• 5675, $100.00" */
export function cardLine(card: Card, to: Recipient): string {
  const digits = card.cardNumberLastFour && masked(card.cardNumberLastFour)
  const name = [brandOf(card, to), digits].filter(Boolean).join(' ')
  return [name, toDollars(card.denomination)].filter(Boolean).join(', ')
}

type ListedCard = Card & { readonly id: string }

/** The columns that `listedCard` needs. */
export const listedColumns = {
  id: giftCards.id,
  brandName: giftCards.brandName,
  unlistedBrand: giftCards.unlistedBrand,
  denomination: giftCards.denomination,
  cardNumberLastFour: giftCards.cardNumberLastFour,
}

/** "Amazon •••• 5675, $100.00 (2B91-CCF8)", among other cards. */
export function listedCard(card: ListedCard, to: Recipient): string {
  return `${cardLine(card, to)} (${referenceOf(card.id)})`
}

/**
 * The cards that an email is about, each with an amount in cents or a text, and what they are worth.
 * `confirmation` is of the payment of this card alone.
 */
export function cardListFacts(
  t: Translate,
  cards: readonly (ListedCard & {
    readonly amount: number | string
    readonly confirmation?: Fact | undefined
  })[],
  to: Recipient,
): Fact[] {
  const worth = { count: cards.length, amount: toDollars(worthOf(cards)) }
  return [
    ...cards.map((card) => ({
      label: cardLine(card, to),
      detail: [
        referenceOf(card.id),
        card.confirmation && `${card.confirmation.label}: ${card.confirmation.value}`,
      ]
        .filter(Boolean)
        .join(', '),
      value: typeof card.amount === 'string' ? card.amount : toDollars(card.amount),
    })),
    { label: t('mail.fact.cards'), value: t('mail.fact.cards.worth', worth), isCard: true },
  ]
}

/** In cents. */
export function worthOf(cards: readonly Pick<Card, 'denomination'>[]): number {
  return cards.reduce((sum, { denomination }) => sum + denomination, 0)
}

/** The card and its reference. */
export function cardFacts(
  t: Translate,
  card: Card & { id: string },
  to: Recipient,
): [card: Fact, reference: Fact] {
  return [
    { label: t('mail.fact.card'), value: cardLine(card, to), isCard: true },
    { label: t('mail.fact.reference'), value: referenceOf(card.id) },
  ]
}

/** The brand, or '' if it may not be named: the seller typed the name of an unlisted one. */
export function brandOf({ brandName, unlistedBrand }: Brand, to: Recipient): string {
  return unlistedBrand ? typedFor(to, brandName) : brandName
}

/**
 * A masked account, in the language of this recipient. A stranger may have typed it, and mail programs link domains, so an unconfirmed address
 * gets no domain but its own.
 */
export function accountFor(
  t: Translate,
  { email, verified }: Pick<Recipient, 'email' | 'verified'>,
  hint: string,
): string {
  const bank = readBankAccountInfo(hint)
  if (bank) return t('payments.bankAccount', { ...bank })
  const [, ownDomain = ''] = email.toLowerCase().split('@')
  return verified || hint.toLowerCase().endsWith(`•@${ownDomain}`) ? hint : hint.replace(/@.*/s, '@•••')
}

/** How a payout is sent, our reference of it, and that of the bank or service once there is one. */
export function payoutFacts(
  t: Translate,
  payout: { id: string; paymentType: PaymentType; accountHint: string; reference: string | null },
  to: Recipient,
): [method: Fact, ...references: Fact[]] {
  const method = t(`payments.type.${payout.paymentType}`)
  const account = [method, accountFor(t, to, payout.accountHint)]
  return [
    { label: t('mail.fact.method'), value: account.filter(Boolean).join(', ') },
    { label: t('mail.fact.payoutReference'), value: shortReferenceOf(payout.id) },
    ...(payout.reference
      ? [{ label: t('account.receipt.confirmation', { method }), value: payout.reference }]
      : []),
  ]
}

/** The screen of one submission. */
export const pathOfCard = (id: string): string => `${screens.accountCard.path}?id=${id}`

/** "your Amazon card", for a push. Never names an unlisted brand: the seller typed it, so it may be anything. */
export function pushedCard(t: Translate, { brandName, unlistedBrand }: Brand): string {
  return unlistedBrand ? t('push.cardUnnamed') : t('mail.card', { card: cardNameIn(t, brandName) })
}

/** What a push about a submission opens. */
export function aboutCard(id: string): Pick<PushLetter, 'topic' | 'path'> {
  return { topic: id.replaceAll('-', ''), path: pathOfCard(id) }
}
