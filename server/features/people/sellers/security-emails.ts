import { maskAccountInfo, paymentRules } from '#domain/payment-methods.ts'
import type { Context } from '#server/context.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import type { JobPayloads, SecurityEvent } from '#server/platform/jobs/jobs.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import { anonymousRecipient, sendEmail } from '#server/platform/mail/send-email.ts'
import type { EmailContent } from '#server/platform/mail/template.ts'
import { lockUser, lockUserByEmail } from './account.ts'
import { countRecentLinks, createLink, linkToken } from './mailed-links.ts'

// These emails contain no name: anyone can open an account with any address, and could put a message into the name.

/** Links for one purpose per address and hour. More would let a stranger flood a mailbox. */
const LINKS_PER_HOUR = 5

/** After the first password reset of an account whose address was unconfirmed. */
export const METHODS_REMOVED =
  'The saved payment methods were removed because the email address had never been confirmed. Please add yours again.'

const NOT_YOU = 'If this was not you, please set a new password right away and contact support.'

/** Tells the owner of an account what has changed. */
export async function sendSecurityEmail(
  context: Context,
  mailer: Mailer,
  { to, notice }: JobPayloads['accountMail'],
  id: string,
): Promise<void> {
  await sendEmail(context, mailer, {
    to: anonymousRecipient(to),
    id,
    compose: () => securityEmail(context, notice),
  })
}

function securityEmail({ site, keys }: Context, event: SecurityEvent): EmailContent {
  const { productName, publicUrl } = site
  switch (event.kind) {
    case 'passwordChanged':
      return content(
        'Your password was changed',
        [
          `The password of your ${productName} account was changed, and every other browser was signed out.`,
          ...(event.methodsRemoved ? [METHODS_REMOVED] : []),
          NOT_YOU,
        ],
        { label: 'Set a new password', url: `${publicUrl}/forgot-password` },
      )
    case 'emailChanged': {
      const newEmail = event.newEmail === null ? '' : `: ${maskAccountInfo(event.newEmail)}`
      return content(
        'Your email address was changed',
        [
          `Your ${productName} account has a new email address${newEmail}. We will send emails there from now on.`,
          'If this was not you, undo the change within seven days. Your account gets this address back, everyone is signed out, and you set a new password.',
        ],
        {
          label: 'This was not me: undo the change',
          url: `${publicUrl}/restore-email?token=${linkToken(keys, event.tokenId)}`,
        },
      )
    }
    case 'emailFellBack':
      return content(
        'Your account uses this email address again',
        [
          `The new address in your ${productName} profile was never confirmed. Another account uses it now.`,
          'Please sign in with this address. Your password is the same.',
        ],
        { label: 'See your profile', url: `${publicUrl}/profile` },
      )
    case 'paymentMethodAdded':
    case 'paymentMethodRemoved': {
      const title = `A payment method was ${event.kind === 'paymentMethodAdded' ? 'added' : 'removed'}`
      return content(
        title,
        [`${title} in your ${productName} account: ${paymentRules[event.type].label}.`, NOT_YOU],
        { label: 'See your payment methods', url: `${publicUrl}/profile` },
      )
    }
  }
}

function content(title: string, paragraphs: readonly string[], button: EmailContent['button']): EmailContent {
  return { subject: title, heading: title, paragraphs, ...(button && { button }) }
}

/** Mails a link that sets a new password. Sends nothing if no account has the address. */
export async function sendPasswordResetMail(
  context: Context,
  mailer: Mailer,
  { email, because }: JobPayloads['passwordResetMail'],
  id: string,
): Promise<void> {
  const user = await transaction(context.db, async (tx) => {
    // Locked: an address that is being replaced must not get another link.
    const user = await lockUserByEmail(tx, email)
    if (!user) return undefined
    const link = { id, userId: user.id, purpose: 'reset_password', email: user.email } as const
    if (because === 'asked' && (await countRecentLinks(tx, link)) >= LINKS_PER_HOUR) return undefined
    await createLink(tx, context.keys, link)
    return user
  })
  if (!user) return
  const compose = () => resetEmail(context, { because, id, verified: user.verified })
  await sendEmail(context, mailer, { to: anonymousRecipient(user.email), id, compose })
}

type ResetReason = JobPayloads['passwordResetMail']['because']

function resetEmail(
  { site: { productName, publicUrl }, keys }: Context,
  { because, id, verified }: { because: ResetReason; id: string; verified: boolean },
): EmailContent {
  const reasons: Readonly<Record<ResetReason, readonly string[]>> = {
    asked: [
      `Someone asked for a new password for your ${productName} account.`,
      'If this was not you, you do not need to do anything. Your password stays the same.',
    ],
    emailRestored: [
      'This is the email address of your account again, and everyone is signed out.',
      'The person who changed it may know your password, so the old one no longer works. Please set a new one.',
      'Payment methods that were added in the meantime have been removed. If one of yours is missing, please add it again.',
    ],
  }
  const unconfirmed =
    'This email address was never confirmed. Setting a new password therefore removes all payment methods saved in the account. Please add yours again.'
  return content(
    'Set a new password',
    [...reasons[because], ...(verified ? [] : [unconfirmed]), 'The link works once, for one hour.'],
    { label: 'Set a new password', url: `${publicUrl}/reset-password?token=${linkToken(keys, id)}` },
  )
}

/** Mails a link that confirms an address. Sends nothing if the account has confirmed or changed it in the meantime. */
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
    if ((await countRecentLinks(tx, link)) >= LINKS_PER_HOUR) return undefined
    await createLink(tx, context.keys, link)
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
  const title = isNew ? `Welcome to ${productName}` : 'Confirm your email address'
  return {
    subject: isNew ? `${title}: please confirm your email address` : title,
    heading: title,
    paragraphs: [
      isNew
        ? `Your ${productName} account is ready. You can sell your first card right away.`
        : `This address was entered in a ${productName} account.`,
      'To confirm that it is yours, open the link and sign in to this account. We will email you here about your cards and payments.',
      'The link works once, for seven days. If you do not know about this account, please ignore this email.',
    ],
    button: {
      label: 'Confirm your email address',
      url: `${publicUrl}/confirm-email?token=${linkToken(keys, id)}`,
    },
  }
}
