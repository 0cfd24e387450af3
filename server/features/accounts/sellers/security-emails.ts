import { inArray } from 'drizzle-orm'
import { toDollars } from '#domain/money.ts'
import { maskAccountInfo } from '#domain/payment-methods.ts'
import { CHANGED_ACCOUNT_HOURS } from '#domain/payout.ts'
import type { Context } from '#server/context.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { giftCards } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import {
  type AccountGiven,
  deleteJob,
  type JobPayloads,
  type SecurityEvents,
} from '#server/platform/jobs/jobs.ts'
import { momentIn } from '#server/platform/mail/dates.ts'
import {
  accountFor,
  anonymousRecipient,
  cardFacts,
  cardListFacts,
  type Letter,
  listedColumns,
  type Recipient,
} from '#server/platform/mail/letter.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import type { Fact } from '#server/platform/mail/template.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { browserName } from '#words/browser-name.ts'
import type { Key } from '#words/keys.ts'
import type { Translate } from '#words/translate.ts'
import { findUser, lockOwnerOfEmail, lockUser } from './account.ts'
import { ownEmail } from './email.ts'
import { confirmationPath, countRecentLinks, createLink, linkToken } from './mailed-links.ts'

// These emails contain no name: anyone can open an account with any address, and could put a message in the name.

/** Links for one purpose per address and hour. More would let a stranger flood a mailbox. */
const LINKS_PER_HOUR = 5

/** Tells the owner of an account what has changed. */
export async function composeSecurityEmail(
  { db, keys, words }: Context,
  { to, userId, notice: event, at, userAgent }: JobPayloads['accountMail'],
): Promise<Letter> {
  const user = userId ? await findUser(db, userId) : undefined
  const recipient = anonymousRecipient(to, user ? user.locale : 'en')
  const compose: Compose<never> = securityEmails[event.kind]
  const t = words[recipient.locale]
  const verified = user?.verified === true && user.email === to
  const given = {
    ...event,
    ...('hint' in event && event.hint && { hint: accountFor(t, { email: to, verified }, event.hint) }),
    // A stranger may have typed it.
    ...(!verified && { holder: '' }),
  }
  return {
    kind: event.kind,
    to: recipient,
    title: `mail.${event.kind}.title`,
    ...compose(given as never, t, keys),
    facts: [
      ...('type' in given ? accountFacts(t, given) : []),
      ...('cards' in given && given.cards
        ? await changedCardFacts(db, t, { ...given, cards: given.cards }, { ...recipient, verified })
        : []),
      ...(at ? [{ label: t('mail.fact.when'), value: momentIn(t, new Date(at)) }] : []),
      ...(userAgent ? [{ label: t('mail.fact.browser'), value: browserName(userAgent, t) }] : []),
    ],
  }
}

type Compose<Event> = (
  event: Event,
  t: Translate,
  keys: KeyRing,
) => Pick<Letter, 'paragraphs' | 'values' | 'button' | 'otherLink'> & Partial<Pick<Letter, 'title'>>

const newPassword = { label: 'mail.passwordChanged.button', path: '/forgot-password' } as const
const security = { label: 'mail.secondFactor.button', path: '/account/security' } as const
const passkeys = { label: 'mail.passkeys.button', path: '/account/security' } as const
const methods = { label: 'mail.methods.button', path: '/profile' } as const

const securityEmails: { readonly [K in keyof SecurityEvents]: Compose<SecurityEvents[K]> } = {
  passwordChanged: ({ methodsRemoved, passkeys }) => ({
    paragraphs: [
      'mail.passwordChanged.text',
      methodsRemoved && 'mail.methodsRemoved',
      passkeys && ['mail.passkeysKept', { count: passkeys }],
      'mail.notYou',
    ],
    button: newPassword,
  }),
  dataDownloaded: () => ({
    paragraphs: ['mail.dataDownloaded.text', 'mail.dataDownloaded.masked', 'mail.notYou'],
    button: newPassword,
  }),
  passkeyAdded: ({ name }) => ({
    paragraphs: ['mail.passkeyAdded.text', 'mail.passkeyNotYou'],
    values: { passkey: name },
    button: passkeys,
    otherLink: newPassword,
  }),
  passkeyRemoved: ({ name }) => ({
    paragraphs: ['mail.passkeyRemoved.text', 'mail.passkeyNotYou'],
    values: { passkey: name },
    button: passkeys,
    otherLink: newPassword,
  }),
  secondFactorOn: () => ({
    paragraphs: ['mail.secondFactorOn.text', 'mail.secondFactorNotYou'],
    button: security,
    otherLink: newPassword,
  }),
  secondFactorOff: () => ({
    paragraphs: ['mail.secondFactorOff.text', 'mail.secondFactorNotYou'],
    button: security,
    otherLink: newPassword,
  }),
  recoveryCodesRenewed: () => ({
    paragraphs: ['mail.recoveryCodesRenewed.text', 'mail.secondFactorNotYou'],
    button: security,
    otherLink: newPassword,
  }),
  recoveryCodeUsed: ({ left }) => ({
    paragraphs: ['mail.recoveryCodeUsed.text', 'mail.secondFactorNotYou'],
    values: { count: left },
    button: security,
    otherLink: newPassword,
  }),
  wrongCodes: ({ of }) => ({
    paragraphs: [
      'mail.wrongCodes.text',
      of === 'seller' ? 'mail.secondFactorNotYou' : 'mail.wrongCodes.staffNotYou',
      'mail.wrongCodes.daily',
    ],
    button: of === 'seller' ? newPassword : undefined,
  }),
  emailChanged: ({ newEmail, tokenId }, _t, keys) => ({
    paragraphs: [
      newEmail === null
        ? 'mail.emailChanged.textUnnamed'
        : ['mail.emailChanged.text', { email: maskAccountInfo(newEmail) }],
      'mail.emailChanged.undo',
    ],
    button: { label: 'mail.emailChanged.button', path: `/restore-email?token=${linkToken(keys, tokenId)}` },
  }),
  emailFellBack: () => ({
    paragraphs: ['mail.emailFellBack.text', 'mail.emailFellBack.signIn'],
    button: { label: 'mail.emailFellBack.button', path: '/profile' },
  }),
  emailUndone: () => ({
    paragraphs: ['mail.emailUndone.text', 'mail.emailUndone.notYou'],
    button: { label: 'payoutStatus.contact', path: '/contact' },
  }),
  paymentMethodAdded: () => ({
    paragraphs: ['mail.paymentMethodAdded.text', 'mail.notYou'],
    button: methods,
    otherLink: newPassword,
  }),
  paymentMethodDefault: () => ({
    paragraphs: ['mail.paymentMethodDefault.text', 'mail.notYou'],
    button: methods,
    otherLink: newPassword,
  }),
  paymentMethodRemoved: () => ({
    paragraphs: ['mail.paymentMethodRemoved.text', 'mail.notYou'],
    button: methods,
    otherLink: newPassword,
  }),
  payoutAccountChanged: ({ count = 1, undecided, waits = true, until, isSaved }, t) => ({
    title: waits ? 'mail.payoutAccountChanged.title' : 'mail.payoutAccountChanged.inReview.title',
    paragraphs: [
      waits
        ? until
          ? 'mail.payoutAccountChanged.until'
          : 'mail.payoutAccountChanged.text'
        : 'mail.payoutAccountChanged.inReview',
      undecided !== undefined && ['mail.payoutAccountChanged.undecided', { count: undecided }],
      isSaved && 'mail.payoutAccountChanged.saved',
      'mail.notYou',
    ],
    values: {
      count,
      date: until ? momentIn(t, new Date(until)) : '',
      hours: CHANGED_ACCOUNT_HOURS,
    },
    button: { label: count > 1 ? 'mail.saleReceipt.button' : 'mail.status.button', path: '/processing' },
    otherLink: newPassword,
  }),
}

const accountFacts = (
  t: Translate,
  { kind, type, hint, holder }: AccountGiven & { kind: string },
): Fact[] => [
  {
    label: t(kind === 'payoutAccountChanged' ? 'mail.fact.newAccount' : 'mail.fact.account'),
    value: [t(`payments.type.${type}`), hint].filter(Boolean).join(', '),
  },
  ...(holder ? [{ label: t('accountFields.holder'), value: holder }] : []),
]

/** The cards whose account was changed, and what is due for them. */
async function changedCardFacts(
  db: Executor,
  t: Translate,
  {
    cards,
    amount,
    waits,
  }: SecurityEvents['payoutAccountChanged'] & { cards: { id: string; amount: number }[] },
  to: Recipient,
): Promise<Fact[]> {
  const ids = cards.map(({ id }) => id)
  const rows = await db.select(listedColumns).from(giftCards).where(inArray(giftCards.id, ids))
  const listed = cards.flatMap((card) => {
    const row = rows.find(({ id }) => id === card.id)
    return row ? [{ ...row, amount: card.amount }] : []
  })
  const [only, ...others] = listed
  if (!only) return []
  return [
    ...(others.length > 0 ? cardListFacts(t, listed, to) : cardFacts(t, only, to)),
    ...(waits && amount !== undefined
      ? [{ label: t('mail.fact.youReceive'), value: toDollars(amount) }]
      : []),
  ]
}

/** The last email to a deleted account. Its job holds the address, so it is deleted, as are the files of earlier emails. */
export async function composeAccountDeletedMail(
  { db }: Context,
  { to, addresses, locale }: JobPayloads['accountDeletedMail'],
  id: string,
  mailer: Mailer,
): Promise<Letter> {
  await mailer.forget?.(addresses)
  return {
    kind: 'accountDeleted',
    to: anonymousRecipient(to, locale),
    title: 'mail.accountDeleted.title',
    paragraphs: ['mail.accountDeleted.text', 'mail.accountDeleted.kept'],
    afterwards: () => deleteJob(db, id),
  }
}

/** A link that sets a new password. Undefined if no account owns the address. */
export async function composePasswordResetMail(
  { db, keys }: Context,
  { email, because }: JobPayloads['passwordResetMail'],
  id: string,
): Promise<Letter | undefined> {
  const owner = await transaction(db, async (tx) => {
    // Locked: an address that is being replaced must not get another link.
    const user = await lockOwnerOfEmail(tx, email)
    if (!user) return undefined
    const own = ownEmail(user)
    const link = { id, userId: user.id, purpose: 'reset_password', email: own.email } as const
    if (because === 'asked' && (await countRecentLinks(tx, link)) >= LINKS_PER_HOUR) return undefined
    await createLink(tx, keys, link)
    return { ...own, locale: user.locale }
  })
  if (!owner) return undefined
  return {
    kind: 'passwordReset',
    to: anonymousRecipient(owner.email, owner.locale),
    title: 'mail.reset.title',
    paragraphs: [
      ...resetReasons[because],
      !owner.verified && 'mail.reset.unconfirmed',
      'mail.reset.validity',
    ],
    button: { label: 'mail.reset.button', path: `/reset-password?token=${linkToken(keys, id)}` },
  }
}

const resetReasons: Readonly<Record<JobPayloads['passwordResetMail']['because'], readonly Key[]>> = {
  asked: ['mail.reset.asked', 'mail.reset.notYou'],
  emailRestored: ['mail.reset.emailRestored', 'mail.reset.passwordKnown', 'mail.reset.methodsRemoved'],
}

/** A link that confirms an address. Undefined if the account has confirmed or changed it in the meantime. */
export async function composeConfirmEmailMail(
  { db, keys }: Context,
  { userId, email, because }: JobPayloads['confirmEmailMail'],
  id: string,
): Promise<Letter | undefined> {
  const to = await transaction(db, async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user || user.verified || user.email.toLowerCase() !== email.toLowerCase()) return undefined
    const link = { id, userId, purpose: 'confirm_email', email: user.email } as const
    if ((await countRecentLinks(tx, link)) >= LINKS_PER_HOUR) return undefined
    await createLink(tx, keys, link)
    return anonymousRecipient(user.email, user.locale)
  })
  const isNew = because === 'registered'
  return (
    to && {
      kind: 'confirmEmail',
      to,
      subject: isNew ? 'mail.welcome.subject' : 'mail.confirm.title',
      title: isNew ? 'mail.welcome.title' : 'mail.confirm.title',
      paragraphs: [
        isNew ? 'mail.welcome.text' : 'mail.confirm.text',
        'mail.confirm.howTo',
        'mail.confirm.validity',
      ],
      button: { label: 'mail.confirm.button', path: confirmationPath(keys, id) },
    }
  )
}
