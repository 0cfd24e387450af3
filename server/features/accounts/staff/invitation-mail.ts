import { eq } from 'drizzle-orm'
import { INVITATION_HOURS } from '#contract/staff-accounts.ts'
import type { Context } from '#server/context.ts'
import { staffInvitations } from '#server/platform/database/schema.ts'
import type { JobPayloads } from '#server/platform/jobs/jobs.ts'
import { anonymousRecipient, type Letter } from '#server/platform/mail/letter.ts'
import { invitationToken } from './invitations.ts'

/** The link of an invitation, in English. Undefined if it was replaced, revoked or accepted in the meantime. */
export async function composeInvitation(
  { db, keys }: Context,
  { invitationId }: JobPayloads['staffInvitationMail'],
): Promise<Letter | undefined> {
  const [found] = await db
    .select({ email: staffInvitations.email, role: staffInvitations.role })
    .from(staffInvitations)
    .where(eq(staffInvitations.id, invitationId))
  return (
    found && {
      kind: 'invitation',
      to: anonymousRecipient(found.email, 'en'),
      because: 'invitation',
      title: 'mail.invitation.title',
      paragraphs: ['mail.invitation.text', 'mail.invitation.howTo', 'mail.invitation.validity'],
      values: { role: found.role, hours: INVITATION_HOURS },
      button: {
        label: 'mail.invitation.button',
        path: `/admin/login?invite=${invitationToken(keys, invitationId)}`,
      },
    }
  )
}
