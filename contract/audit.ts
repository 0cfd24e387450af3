import { z } from 'zod'
import type { FieldCode } from '#words/keys.ts'
import { route } from './route.ts'
import { instant, moment, page, text } from './values.ts'

/** Everything the audit log records. The filter offers this list. */
export const auditActions = [
  'admin.code_asked',
  'admin.created',
  'admin.disabled',
  'admin.enabled',
  'admin.identity_bound',
  'admin.identity_reset',
  'admin.invitation_revoked',
  'admin.invited',
  'admin.link_made',
  'admin.passkey_added',
  'admin.passkey_removed',
  'admin.password_changed',
  'admin.password_reset',
  'admin.role_changed',
  'admin.signed_in',
  'admin.sign_in_refused',
  'admin.totp_renewed',
  'admin.totp_reset',
  'admin.totp_started',
  'admin.totp_stopped',
  'audit.sealed',
  'balance_connector.added',
  'balance_connector.changed',
  'balance_connector.deleted',
  'balance_connector.secret_rotated',
  'brand.added',
  'brand.changed',
  'hold.lifted',
  'hold.placed',
  'inventory.changed',
  'inventory.codes_exported',
  'inventory.imported',
  'job.discarded',
  'job.retried',
  'ledger.month_closed',
  'keys.dropped',
  'keys.rotated',
  'payout.account_changed',
  'payout.account_lifted',
  'payout.confirmation_sent',
  'payout.not_sent',
  'payout.paid',
  'payout.prenote_refused',
  'payout.returned',
  'payout.returns_imported',
  'payout.revealed',
  'payout.voided',
  'payout_batch.approved',
  'payout_batch.created',
  'payout_batch.exported',
  'payout_batch.frozen',
  'payout_batch.marked_exported',
  'payout_batch.paid',
  'payout_batch.payout_taken_out',
  'payout_batch.rejected',
  'payout_batch.rejection_reported',
  'payout_batch.rejection_withdrawn',
  'payout_batch.released',
  'payout_batch.sent',
  'payout_batch.settled',
  'payout_batch.voided',
  'payouts.resumed',
  'payouts.statement_imported',
  'payouts.stopped',
  'report.exported',
  'review.approved',
  'review.hidden',
  'seller.data_exported',
  'seller.deleted',
  'seller.state_changed',
  'seller.tax_details_exported',
  'seller.tax_details_saved',
  'seller.totp_reset',
  'store.taken_over',
  'submission.assigned',
  'submission.balance_asked',
  'submission.balance_checked',
  'submission.erased',
  'submission.moved',
  'chat.photo_downloaded',
  'chat.photo_viewed',
  'submission.photo_downloaded',
  'submission.photo_viewed',
  'submission.released',
  'submission.revealed',
  'submission.risk_acknowledged',
  'submission.taken_over',
  'submission.undone',
  'submissions.cleared',
  'system.test_mail_sent',
  'thread.assigned',
  'token.created',
  'token.revoked',
  'transactions.exported',
  'webhook.added',
  'webhook.changed',
  'webhook.deleted',
  'webhook.secret_rotated',
] as const
export type AuditAction = (typeof auditActions)[number]

/** One entry of the audit log. It never contains a secret. */
export const auditEntry = z.object({
  id: z.string().describe('A number that counts up without gaps'),
  at: instant,
  actorKind: z.enum(['staff', 'seller', 'visitor', 'system']),
  actor: z.string().nullable().describe('The username at that time. Null for visitors and the system'),
  action: z.string(),
  subjectKind: z.string(),
  subject: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
  hash: z
    .string()
    .describe(
      'SHA-256 over the hash of the entry before and this entry, in hex. Names of sellers, reasons and searches count as salted hashes',
    ),
})
export type AuditEntry = z.input<typeof auditEntry>
export type AuditEntryAnswer = z.output<typeof auditEntry>

const auditFilter = page.omit({ cursor: true }).extend({
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, 'cursor_invalid' satisfies FieldCode)
    .transform(Number)
    .optional(),
  actor: text({ max: 255 }).optional().describe('A complete username, in any case'),
  action: z.enum(auditActions, { error: 'action_unknown' satisfies FieldCode }).optional(),
  subject: text({ max: 255 })
    .optional()
    .describe('The id of a submission or seller, the username of an administrator, the slug of a brand'),
  from: moment.optional(),
  to: moment.optional().describe('Exclusive'),
})
export type AuditFilter = z.output<typeof auditFilter>

export const auditRoutes = {
  auditLog: route({
    method: 'GET',
    path: '/api/admin/audit',
    summary: 'The audit log, newest first',
    access: 'read_audit_log',
    limit: 'read',
    query: auditFilter,
    answers: { 200: z.array(auditEntry) },
  }),
}
