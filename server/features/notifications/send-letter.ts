import { screens } from '#contract/screens.ts'
import { letterKinds } from '#domain/notifications.ts'
import type { Context } from '#server/context.ts'
import { isDeleted, type Letter } from '#server/platform/mail/letter.ts'
import { type Mailer, MailRefused } from '#server/platform/mail/mailer.ts'
import { type EmailContent, type Link, renderEmail } from '#server/platform/mail/template.ts'
import { withLocale } from '#words/locales.ts'
import type { Translate } from '#words/translate.ts'
import { unsubscribeToken, wants } from './settings.ts'

/**
 * Sends an email, unless the seller has turned off this kind. Logs and drops one that can never be sent.
 * @param id of the job, so that duplicates can be detected
 */
export async function sendLetter(
  context: Context,
  mailer: Mailer,
  letter: Letter,
  id: string,
): Promise<void> {
  const { site, log, words } = context
  const { kind, to, sellerId, because = 'account' } = letter
  const t = words[to.locale]
  const link = (label: string, path: string) => ({
    label,
    url: `${site.publicUrl}${withLocale(t.locale, path)}`,
  })
  const { mail: setting } = letterKinds[kind]
  const optional = sellerId && setting !== 'always' ? { userId: sellerId, kind: setting } : undefined
  if (isDeleted(to.email) || (optional && !(await wants(context.db, optional, 'mail')))) return
  const stop =
    optional &&
    link(
      t(`mail.footer.stop.${optional.kind}`),
      `${screens.unsubscribe.path}?token=${unsubscribeToken(context.keys, optional)}`,
    )
  const links = [
    // Without an address for replies, questions go to the contact form.
    !site.replyTo && link(t('mail.footer.contact'), screens.contact.path),
    sellerId && link(t('mail.footer.settings'), screens.accountNotifications.path),
    stop,
  ].filter((given) => typeof given === 'object')
  const about = `${t(`mail.because.${because}`)}\n${t(site.replyTo ? 'mail.replies.read' : 'mail.replies.unread')}`
  const email = renderEmail(t, contentOf(t, letter, link), site, { about, links })
  try {
    await mailer.sendMail({ to: to.email, id, ...email, unsubscribeUrl: stop?.url })
  } catch (err) {
    if (!(err instanceof MailRefused)) throw err
    log.warn({ err, jobId: id }, 'cannot send this email; it is dropped')
  }
}

function contentOf(
  t: Translate,
  { to, title, subject = title, paragraphs, values, facts = [], button, otherLink }: Letter,
  link: (label: string, path: string) => Link,
): EmailContent {
  const { firstName: name, verified } = to
  return {
    subject: t(subject, values),
    heading: t(title, values),
    ...(name !== undefined && {
      greeting: verified ? t('mail.greetingByName', { name }) : t('mail.greeting'),
    }),
    paragraphs: paragraphs.flatMap((paragraph) => {
      if (!paragraph) return []
      if (typeof paragraph === 'string') return t(paragraph, values).trimEnd()
      return 'said' in paragraph ? paragraph : t(...paragraph).trimEnd()
    }),
    facts,
    ...(button && { button: link(t(button.label), button.path) }),
    ...(otherLink && { otherLink: link(t(otherLink.label), otherLink.path) }),
  }
}
