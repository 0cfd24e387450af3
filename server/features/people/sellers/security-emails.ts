import { maskAccountInfo } from '#domain/payment-methods.ts'
import type { Context } from '#server/context.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { deleteJob, type JobPayloads, type SecurityEvent } from '#server/platform/jobs/jobs.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import { anonymousRecipient, linkTo, sendEmail } from '#server/platform/mail/send-email.ts'
import type { EmailContent } from '#server/platform/mail/template.ts'
import type { Key } from '#words/keys.ts'
import type { Translate } from '#words/translate.ts'
import { findUser, lockOwnerOfEmail, lockUser } from './account.ts'
import { ownEmail } from './email.ts'
import { countRecentLinks, createLink, linkToken } from './mailed-links.ts'

// These emails contain no name: anyone can open an account with any address, and could put a message into the name.

/** Links for one purpose per address and hour. More would let a stranger flood a mailbox. */
const LINKS_PER_HOUR = 5

/** Tells the owner of an account what has changed. */
export async function sendSecurityEmail(
  context: Context,
  mailer: Mailer,
  { to, userId, notice }: JobPayloads['accountMail'],
  id: string,
): Promise<void> {
  const user = userId && (await findUser(context.db, userId))
  await sendEmail(context, mailer, {
    to: anonymousRecipient(to, user ? user.locale : 'en'),
    id,
    compose: (t) => securityEmail(context, t, notice),
  })
}

function securityEmail({ site, keys }: Context, t: Translate, event: SecurityEvent): EmailContent {
  const button = (label: Key, path: string) => ({ label: t(label), url: linkTo(site, t.locale, path) })
  switch (event.kind) {
    case 'passwordChanged':
      return content(
        t('mail.passwordChanged.title'),
        [
          t('mail.passwordChanged.text'),
          ...(event.methodsRemoved ? [t('mail.methodsRemoved')] : []),
          ...(event.passkeys ? [t('mail.passkeysKept', { count: event.passkeys })] : []),
          t('mail.notYou'),
        ],
        button('mail.passwordChanged.button', '/forgot-password'),
      )
    case 'dataDownloaded':
      return content(
        t('mail.dataDownloaded.title'),
        [t('mail.dataDownloaded.text'), t('mail.dataDownloaded.masked'), t('mail.notYou')],
        button('mail.passwordChanged.button', '/forgot-password'),
      )
    case 'passkeyAdded':
    case 'passkeyRemoved':
      return content(
        t(`mail.${event.kind}.title`),
        [t(`mail.${event.kind}.text`, { passkey: event.name }), t('mail.passkeyNotYou')],
        button('mail.passkeys.button', '/account/security'),
      )
    case 'secondFactorOn':
    case 'secondFactorOff':
    case 'recoveryCodesRenewed':
      return content(
        t(`mail.${event.kind}.title`),
        [t(`mail.${event.kind}.text`), t('mail.secondFactorNotYou')],
        button('mail.secondFactor.button', '/account/security'),
      )
    case 'recoveryCodeUsed':
      return content(
        t('mail.recoveryCodeUsed.title'),
        [t('mail.recoveryCodeUsed.text', { count: event.left }), t('mail.secondFactorNotYou')],
        button('mail.secondFactor.button', '/account/security'),
      )
    case 'wrongCodes':
      return content(
        t('mail.wrongCodes.title'),
        [
          t('mail.wrongCodes.text'),
          t(event.of === 'seller' ? 'mail.secondFactorNotYou' : 'mail.wrongCodes.staffNotYou'),
          t('mail.wrongCodes.daily'),
        ],
        event.of === 'seller' ? button('mail.passwordChanged.button', '/forgot-password') : undefined,
      )
    case 'emailChanged':
      return content(
        t('mail.emailChanged.title'),
        [
          event.newEmail === null
            ? t('mail.emailChanged.textUnnamed')
            : t('mail.emailChanged.text', { email: maskAccountInfo(event.newEmail) }),
          t('mail.emailChanged.undo'),
        ],
        button('mail.emailChanged.button', `/restore-email?token=${linkToken(keys, event.tokenId)}`),
      )
    case 'emailFellBack':
      return content(
        t('mail.emailFellBack.title'),
        [t('mail.emailFellBack.text'), t('mail.emailFellBack.signIn')],
        button('mail.emailFellBack.button', '/profile'),
      )
    case 'emailUndone':
      return content(
        t('mail.emailUndone.title'),
        [t('mail.emailUndone.text'), t('mail.emailUndone.notYou')],
        button('mail.footer.contact', '/contact'),
      )
    case 'paymentMethodAdded':
    case 'paymentMethodRemoved': {
      const key = event.kind === 'paymentMethodAdded' ? 'mail.methodAdded' : 'mail.methodRemoved'
      return content(
        t(`${key}.title`),
        [t(`${key}.text`, { method: t(`payments.type.${event.type}`) }), t('mail.notYou')],
        button('mail.methods.button', '/profile'),
      )
    }
    case 'payoutAccountChanged':
      return content(
        t('mail.payoutAccount.title'),
        [t('mail.payoutAccount.text', { method: t(`payments.type.${event.type}`) }), t('mail.notYou')],
        button('mail.status.button', '/processing'),
      )
  }
}

function content(title: string, paragraphs: readonly string[], button: EmailContent['button']): EmailContent {
  return { subject: title, heading: title, paragraphs, ...(button && { button }) }
}

/** The last email to a deleted account. Its job holds the address, so it is deleted, as are the files of earlier emails. */
export async function sendAccountDeletedMail(
  context: Context,
  mailer: Mailer,
  { to, addresses, locale }: JobPayloads['accountDeletedMail'],
  id: string,
): Promise<void> {
  await mailer.forget?.(addresses)
  await sendEmail(context, mailer, {
    to: anonymousRecipient(to, locale),
    id,
    compose: (t) =>
      content(
        t('mail.accountDeleted.title'),
        [t('mail.accountDeleted.text'), t('mail.accountDeleted.kept')],
        undefined,
      ),
  })
  await deleteJob(context.db, id)
}

/** Mails a link that sets a new password. Sends nothing if no account owns the address. */
export async function sendPasswordResetMail(
  context: Context,
  mailer: Mailer,
  { email, because }: JobPayloads['passwordResetMail'],
  id: string,
): Promise<void> {
  const owner = await transaction(context.db, async (tx) => {
    // Locked: an address that is being replaced must not get another link.
    const user = await lockOwnerOfEmail(tx, email)
    if (!user) return undefined
    const own = ownEmail(user)
    const link = { id, userId: user.id, purpose: 'reset_password', email: own.email } as const
    if (because === 'asked' && (await countRecentLinks(tx, link)) >= LINKS_PER_HOUR) return undefined
    await createLink(tx, context.keys, link)
    return { ...own, locale: user.locale }
  })
  if (!owner) return
  const compose = (t: Translate) => resetEmail(context, t, { because, id, verified: owner.verified })
  await sendEmail(context, mailer, { to: anonymousRecipient(owner.email, owner.locale), id, compose })
}

type ResetReason = JobPayloads['passwordResetMail']['because']

function resetEmail(
  { site, keys }: Context,
  t: Translate,
  { because, id, verified }: { because: ResetReason; id: string; verified: boolean },
): EmailContent {
  const reasons: Readonly<Record<ResetReason, readonly Key[]>> = {
    asked: ['mail.reset.asked', 'mail.reset.notYou'],
    emailRestored: ['mail.reset.emailRestored', 'mail.reset.passwordKnown', 'mail.reset.methodsRemoved'],
  }
  const paragraphs: readonly Key[] = [
    ...reasons[because],
    ...(verified ? [] : (['mail.reset.unconfirmed'] as const)),
    'mail.reset.validity',
  ]
  return content(
    t('mail.reset.title'),
    paragraphs.map((key) => t(key)),
    {
      label: t('mail.reset.button'),
      url: linkTo(site, t.locale, `/reset-password?token=${linkToken(keys, id)}`),
    },
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
    return anonymousRecipient(user.email, user.locale)
  })
  if (to === undefined) return
  const compose = (t: Translate) => confirmEmail(context, t, because, id)
  await sendEmail(context, mailer, { to, id, compose })
}

function confirmEmail(
  { site, keys }: Context,
  t: Translate,
  because: JobPayloads['confirmEmailMail']['because'],
  id: string,
): EmailContent {
  const isNew = because === 'registered'
  return {
    subject: t(isNew ? 'mail.welcome.subject' : 'mail.confirm.title'),
    heading: t(isNew ? 'mail.welcome.title' : 'mail.confirm.title'),
    paragraphs: [
      t(isNew ? 'mail.welcome.text' : 'mail.confirm.text'),
      t('mail.confirm.howTo'),
      t('mail.confirm.validity'),
    ],
    button: {
      label: t('mail.confirm.button'),
      url: linkTo(site, t.locale, `/confirm-email?token=${linkToken(keys, id)}`),
    },
  }
}
