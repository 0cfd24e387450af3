import { eq } from 'drizzle-orm'
import { INVITATION_HOURS } from '#contract/staff-accounts.ts'
import type { Context } from '#server/context.ts'
import { staffInvitations } from '#server/platform/database/schema.ts'
import type { JobPayloads } from '#server/platform/jobs/jobs.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import { anonymousRecipient, linkTo, sendEmail } from '#server/platform/mail/send-email.ts'
import { invitationToken } from './invitations.ts'

/** Emails the link of an invitation, in English. Sends nothing if it was replaced, revoked or accepted in the meantime. */
export async function sendInvitationMail(
  context: Context,
  mailer: Mailer,
  { invitationId }: JobPayloads['staffInvitationMail'],
  id: string,
): Promise<void> {
  const [found] = await context.db
    .select({ email: staffInvitations.email, role: staffInvitations.role })
    .from(staffInvitations)
    .where(eq(staffInvitations.id, invitationId))
  if (!found) return
  await sendEmail(context, mailer, {
    to: anonymousRecipient(found.email, 'en'),
    id,
    because: 'invitation',
    compose: (t) => ({
      subject: t('mail.invitation.title'),
      heading: t('mail.invitation.title'),
      paragraphs: [
        t('mail.invitation.text', { role: found.role }),
        t('mail.invitation.howTo'),
        t('mail.invitation.validity', { hours: INVITATION_HOURS }),
      ],
      button: {
        label: t('mail.invitation.button'),
        url: linkTo(
          context.site,
          t.locale,
          `/admin/login?invite=${invitationToken(context.keys, invitationId)}`,
        ),
      },
    }),
  })
}
