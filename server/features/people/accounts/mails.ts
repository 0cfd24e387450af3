import { maskAccountInfo, paymentRules } from '#domain/payment-methods.ts'
import type { Context } from '#server/context.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import type { JobPayloads } from '#server/platform/jobs/jobs.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import { anonymousRecipient, sendEmail } from '#server/platform/mail/send-email.ts'
import type { EmailContent } from '#server/platform/mail/template.ts'
import { lockUser, lockUserByEmail } from './queries.ts'
import { countRecent } from './token-queries.ts'
import { createToken, tokenOf } from './tokens.ts'

// No name in these letters: an account can be opened with anybody's address, and its "name" would be what a
// stranger has to say to them.

/** Links of one kind to one address per hour. More would let a stranger flood a mailbox. */
const LINKS_PER_HOUR = 5

/** After the first new password of an account whose address nobody had confirmed. */
export const METHODS_REMOVED =
  'The saved payment methods were removed, because the e-mail address had never been confirmed. Please add yours again.'

const NOT_YOU = 'If it was not you, please set a new password at once and contact support.'

/** Tells the owner of an account what has changed. */
export async function sendAccountMail(
  context: Context,
  mailer: Mailer,
  { to, notice }: JobPayloads['accountMail'],
  id: string,
): Promise<void> {
  await sendEmail(context, mailer, {
    to: anonymousRecipient(to),
    id,
    compose: () => accountEmail(context, notice),
  })
}

function accountEmail({ site, keys }: Context, notice: JobPayloads['accountMail']['notice']): EmailContent {
  const { productName, publicUrl } = site
  const forgotten = { label: 'Set a new password', url: `${publicUrl}/forgot-password` }
  switch (notice.kind) {
    case 'passwordChanged':
      return {
        subject: 'Your password was changed',
        heading: 'Your password was changed',
        paragraphs: [
          `The password of your ${productName} account was changed, and every other browser was signed out.`,
          ...(notice.methodsRemoved ? [METHODS_REMOVED] : []),
          NOT_YOU,
        ],
        button: forgotten,
      }
    case 'emailChanged':
      return {
        subject: 'Your e-mail address was changed',
        heading: 'Your e-mail address was changed',
        paragraphs: [
          `Your ${productName} account has a new e-mail address${notice.newEmail === null ? '' : `: ${maskAccountInfo(notice.newEmail)}`}. Mails go there from now on.`,
          'If it was not you, take it back within seven days: this address counts again, everybody is signed out, and you set a new password.',
        ],
        button: {
          label: 'It was not me: take it back',
          url: `${publicUrl}/restore-email?token=${tokenOf(keys, notice.tokenId)}`,
        },
      }
    case 'emailFellBack':
      return {
        subject: 'Your account uses this e-mail address again',
        heading: 'Your account uses this e-mail address again',
        paragraphs: [
          `The new address in your ${productName} profile was never confirmed. Another account uses it now.`,
          'Please sign in with this address. Your password is the same.',
        ],
        button: { label: 'See your profile', url: `${publicUrl}/profile` },
      }
    case 'paymentMethodAdded':
    case 'paymentMethodRemoved': {
      const what = `payment method was ${notice.kind === 'paymentMethodAdded' ? 'added' : 'removed'}`
      return {
        subject: `A ${what}`,
        heading: `A ${what}`,
        paragraphs: [
          `A ${what} in your ${productName} account: ${paymentRules[notice.type].label}.`,
          NOT_YOU,
        ],
        button: { label: 'See your payment methods', url: `${publicUrl}/profile` },
      }
    }
  }
}

/** Mails a link that sets a new password; an address without an account gets nothing. */
export async function sendPasswordResetMail(
  context: Context,
  mailer: Mailer,
  { email, because }: JobPayloads['passwordResetMail'],
  id: string,
): Promise<void> {
  const user = await transaction(context.db, async (tx) => {
    // Locked: an address that is being taken back must not get a link any more.
    const user = await lockUserByEmail(tx, email)
    if (!user) return undefined
    const link = { id, userId: user.id, purpose: 'reset_password', email: user.email } as const
    if (because === 'asked' && (await countRecent(tx, link)) >= LINKS_PER_HOUR) return undefined
    await createToken(tx, context.keys, link)
    return user
  })
  if (!user) return
  const compose = () => resetEmail(context, { because, id, verified: user.verified })
  await sendEmail(context, mailer, { to: anonymousRecipient(user.email), id, compose })
}

function resetEmail(
  { site: { productName, publicUrl }, keys }: Context,
  {
    because,
    id,
    verified,
  }: { because: JobPayloads['passwordResetMail']['because']; id: string; verified: boolean },
): EmailContent {
  const why =
    because === 'asked'
      ? [
          `Somebody asked for a new password for your ${productName} account.`,
          'If it was not you, there is nothing to do: your password stays as it is.',
        ]
      : [
          'This is the e-mail address of your account again, and everybody is signed out.',
          'Whoever changed it may know your password, so the old one no longer works. Please set a new one.',
          'Payment methods that were added since then have been removed. If one of yours is missing, please add it again.',
        ]
  return {
    subject: 'Set a new password',
    heading: 'Set a new password',
    paragraphs: [
      ...why,
      ...(verified
        ? []
        : [
            'This e-mail address was never confirmed. So setting a new password removes all payment methods that are saved in the account; please add yours again.',
          ]),
      'The link works once, for one hour.',
    ],
    button: { label: 'Set a new password', url: `${publicUrl}/reset-password?token=${tokenOf(keys, id)}` },
  }
}

/** Mails a link that confirms an address. An address that the account has left or confirmed meanwhile gets nothing. */
export async function sendConfirmEmailMail(
  context: Context,
  mailer: Mailer,
  { userId, email, because }: JobPayloads['confirmEmailMail'],
  id: string,
): Promise<void> {
  const to = await transaction(context.db, async (tx) => {
    const user = await lockUser(tx, userId)
    if (!user || user.verified || user.email.toLowerCase() !== email.toLowerCase()) return undefined
    const link = { id, userId, purpose: 'confirm_email', email: user.email } as const
    if ((await countRecent(tx, link)) >= LINKS_PER_HOUR) return undefined
    await createToken(tx, context.keys, link)
    return user.email
  })
  if (to === undefined) return
  const compose = () => confirmEmail(context, because, id)
  await sendEmail(context, mailer, { to: anonymousRecipient(to), id, compose })
}

function confirmEmail(
  { site: { productName, publicUrl }, keys }: Context,
  because: JobPayloads['confirmEmailMail']['because'],
  id: string,
): EmailContent {
  const isNew = because === 'registered'
  const title = isNew ? `Welcome to ${productName}` : 'Confirm your e-mail address'
  return {
    subject: isNew ? `${title}: please confirm your e-mail address` : title,
    heading: title,
    paragraphs: [
      isNew
        ? `Your ${productName} account is ready. You can sell your first card right away.`
        : `This address was entered in a ${productName} account.`,
      'To confirm that it is yours, open the link and sign in to this account. We mail you here about your cards and your payments.',
      'The link works once, for seven days. If you do not know about this account, please ignore this mail.',
    ],
    button: {
      label: 'Confirm your e-mail address',
      url: `${publicUrl}/confirm-email?token=${tokenOf(keys, id)}`,
    },
  }
}
