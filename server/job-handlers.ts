import type { Context } from '#server/context.ts'
import {
  composeAccountDeletedMail,
  composeConfirmEmailMail,
  composePasswordResetMail,
  composeSecurityEmail,
} from '#server/features/accounts/sellers/security-emails.ts'
import { composeInvitation } from '#server/features/accounts/staff/invitation-mail.ts'
import { composeReplyMail, composeReplyPush } from '#server/features/chat/reply-mail.ts'
import { sendLetter } from '#server/features/notifications/send-letter.ts'
import { sendPush } from '#server/features/notifications/send-push.ts'
import { payAtOnce } from '#server/features/payouts/automatic.ts'
import { confirmPayouts } from '#server/features/payouts/confirm.ts'
import { findExpectedDay } from '#server/features/payouts/expected-days.ts'
import { composePayoutMail, composePayoutPush } from '#server/features/payouts/payout-mail.ts'
import { answerBalanceRequest } from '#server/features/submissions/balance-requests.ts'
import { decideByPolicy } from '#server/features/submissions/policies/decide.ts'
import { composeSaleReceipt } from '#server/features/submissions/sale-receipt.ts'
import { closeReceipt } from '#server/features/submissions/sales.ts'
import { composeMovePush, composeStatusMail } from '#server/features/submissions/status-mail.ts'
import { deliverWebhook } from '#server/features/webhooks/deliver.ts'
import type { PushNews } from '#server/platform/jobs/jobs.ts'
import type { JobHandlers } from '#server/platform/jobs/worker.ts'
import type { Letter, PushLetter } from '#server/platform/mail/letter.ts'
import type { Mailer } from '#server/platform/mail/mailer.ts'
import type { PushSender } from '#server/platform/push/push-sender.ts'
import type { Translate } from '#words/translate.ts'

/** What each kind of job does. */
export function jobHandlers(context: Context, mailer: Mailer, push: PushSender): JobHandlers {
  const mail =
    <P>(compose: ComposeMail<P>) =>
    async (payload: P, id: string) => {
      const letter = await compose(context, payload, id, mailer)
      if (!letter) return
      await sendLetter(context, mailer, letter, id)
      await letter.afterwards?.()
    }
  return {
    statusMail: mail((context, payload) => composeStatusMail(context, payload, findExpectedDay)),
    saleReceiptMail: mail((context, payload) => composeSaleReceipt(context, payload, findExpectedDay)),
    payoutMail: mail(composePayoutMail),
    accountMail: mail(composeSecurityEmail),
    accountDeletedMail: mail(composeAccountDeletedMail),
    passwordResetMail: mail(composePasswordResetMail),
    replyMail: mail(composeReplyMail),
    confirmEmailMail: mail(composeConfirmEmailMail),
    staffInvitationMail: mail(composeInvitation),
    push: (payload) => sendPush(context, push, payload, composePush),
    saleReceipt: (payload) => closeReceipt(context, payload),
    confirmBatch: (payload) => confirmPayouts(context, payload),
    decideByPolicy: (payload) => decideByPolicy(context, payload),
    askBalance: (payload) => answerBalanceRequest(context, payload),
    payAtOnce: (payload) => payAtOnce(context, payload),
    webhook: (payload, id) => deliverWebhook(context, payload, id),
  }
}

/** Writes the mail of a job. Undefined if there is nothing to say anymore. */
type ComposeMail<P> = (
  context: Context,
  payload: P,
  id: string,
  mailer: Mailer,
) => Promise<Letter | undefined>

function composePush(context: Context, t: Translate, news: PushNews): Promise<PushLetter | undefined> {
  if (news.about === 'move') return composeMovePush(context, t, news)
  if (news.about === 'payout') return composePayoutPush(context, t, news)
  return composeReplyPush(context, t, news)
}
