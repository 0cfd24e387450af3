import type { Context } from '#server/context.ts'
import { sendReplyMail } from '#server/features/chat/reply-mail.ts'
import { confirmPayouts } from '#server/features/payouts/confirm.ts'
import { sendPayoutMail } from '#server/features/payouts/payout-mail.ts'
import {
  sendAccountDeletedMail,
  sendConfirmEmailMail,
  sendPasswordResetMail,
  sendSecurityEmail,
} from '#server/features/people/sellers/security-emails.ts'
import { sendInvitationMail } from '#server/features/people/staff/invitation-mail.ts'
import { sendPush } from '#server/features/push/send-push.ts'
import { sendSaleReceipt } from '#server/features/submissions/sale-receipt.ts'
import { closeReceipt } from '#server/features/submissions/sales.ts'
import { sendStatusMail } from '#server/features/submissions/status-mail.ts'
import type { JobHandlers } from '#server/platform/jobs/worker.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import type { PushSender } from '#server/platform/push/push-sender.ts'

/** What each kind of job does. */
export function jobHandlers(context: Context, mailer: Mailer, push: PushSender): JobHandlers {
  const mail =
    <P>(send: (context: Context, mailer: Mailer, payload: P, id: string) => Promise<void>) =>
    (payload: P, id: string) =>
      send(context, mailer, payload, id)
  return {
    push: (payload) => sendPush(context, push, payload),
    statusMail: mail(sendStatusMail),
    saleReceipt: (payload) => closeReceipt(context, payload),
    saleReceiptMail: mail(sendSaleReceipt),
    payoutMail: mail(sendPayoutMail),
    accountMail: mail(sendSecurityEmail),
    accountDeletedMail: mail(sendAccountDeletedMail),
    passwordResetMail: mail(sendPasswordResetMail),
    replyMail: mail(sendReplyMail),
    confirmEmailMail: mail(sendConfirmEmailMail),
    staffInvitationMail: mail(sendInvitationMail),
    confirmBatch: (payload) => confirmPayouts(context, payload),
  }
}
