import { maskAccountInfo, paymentRules } from '#domain/payment-methods.ts'
import type { Context } from '#server/context.ts'
import { transaction } from '#server/database/transaction.ts'
import type { JobPayloads } from '#server/jobs/jobs.ts'
import type { Letter } from '#server/mail/letter.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import { sendLetter } from '#server/mail/send-letter.ts'
import { lockUserByEmail } from './queries.ts'
import { countRecentResets } from './token-queries.ts'
import { createToken, tokenOf } from './tokens.ts'

// No name in these letters: an account can be opened with anybody's address, and its "name" would be what a
// stranger has to say to them.

/** More than these in an hour help nobody but whoever wants to fill a mailbox. */
const RESETS_PER_HOUR = 5

const NOT_YOU = 'If it was not you, please set a new password at once and contact support.'

/** Tells the owner of an account what has changed. */
export async function sendAccountMail(
  context: Context,
  mailer: Mailer,
  { to, notice }: JobPayloads['accountMail'],
  id: string,
): Promise<void> {
  await sendLetter(context, mailer, { to, id, letter: accountLetter(context, notice) })
}

function accountLetter({ site, keys }: Context, notice: JobPayloads['accountMail']['notice']): Letter {
  const { productName, publicUrl } = site
  const forgotten = { label: 'Set a new password', url: `${publicUrl}/forgot-password` }
  switch (notice.kind) {
    case 'passwordChanged':
      return {
        subject: 'Your password was changed',
        heading: 'Your password was changed',
        paragraphs: [
          `The password of your ${productName} account was changed, and every other browser was signed out.`,
          NOT_YOU,
        ],
        button: forgotten,
      }
    case 'emailChanged':
      return {
        subject: 'Your e-mail address was changed',
        heading: 'Your e-mail address was changed',
        paragraphs: [
          `Your ${productName} account has a new e-mail address: ${maskAccountInfo(notice.newEmail)}. Mails go there from now on.`,
          'If it was not you, take it back within seven days: this address counts again, everybody is signed out, and you set a new password.',
        ],
        button: {
          label: 'It was not me: take it back',
          url: `${publicUrl}/restore-email?token=${tokenOf(keys, notice.tokenId)}`,
        },
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
  const to = await transaction(context.db, async (tx) => {
    // Locked: an address that is being taken back must not get a link any more.
    const user = await lockUserByEmail(tx, email)
    if (!user) return undefined
    if (because === 'asked' && (await countRecentResets(tx, user.id, id)) >= RESETS_PER_HOUR) return undefined
    await createToken(tx, context.keys, { id, userId: user.id, purpose: 'reset_password', email: user.email })
    return user.email
  })
  if (to === undefined) return
  await sendLetter(context, mailer, { to, id, letter: resetLetter(context, because, id) })
}

function resetLetter(
  { site: { productName, publicUrl }, keys }: Context,
  because: JobPayloads['passwordResetMail']['because'],
  id: string,
): Letter {
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
    paragraphs: [...why, 'The link works once, for one hour.'],
    button: { label: 'Set a new password', url: `${publicUrl}/reset-password?token=${tokenOf(keys, id)}` },
  }
}
