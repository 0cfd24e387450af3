import type { SellerSubmission } from '#contract/submissions.ts'
import { sellerStatusOf } from '#domain/submission.ts'
import { cx } from '#web/kit/cx.ts'
import { useSession } from '#web/wire/session.ts'
import { useWords } from '#web/words/words.ts'
import { isSafe, isUnpaid } from '../SellerAmount.tsx'
import { waitsForEmail } from '../status-text.ts'

const steps = ['received', 'reviewed', 'approved', 'sent'] as const

/** How far a card is on its way to the payout. Nothing for a card that ended without one. */
export function Tracker({ submission, bare = false }: TrackerProps) {
  const t = useWords()
  const { user } = useSession()
  if (isUnpaid(submission)) return null
  const done = doneSteps(submission)
  const named = Math.min(done, steps.length - 1)
  const now = user?.mustConfirmEmail && waitsForEmail(submission) ? 'waits' : 'now'
  return (
    <ol aria-label={t('account.tracker')} className="flex gap-1.5 print:hidden">
      {steps.map((step, index) => (
        <li
          key={step}
          aria-current={index === done ? 'step' : undefined}
          className={cx(
            'grid flex-1 content-start gap-1.5 border-t-4 text-xs',
            !bare && 'pt-1.5',
            index <= done ? 'border-accent' : 'border-line',
            index === done && 'border-dashed font-semibold',
            index > done && 'text-soft',
            // The money is with the seller.
            done === steps.length && index === done - 1 && 'border-gold',
          )}
        >
          {/* On phones only the current step is named: four names do not fit. */}
          <span
            className={cx(
              'whitespace-nowrap',
              index === steps.length - 1 && 'justify-self-end',
              bare ? 'sr-only' : index !== named && 'max-sm:sr-only',
            )}
          >
            {t(
              index === done && step === 'sent'
                ? `account.tracker.sent.${now}`
                : index === done && step === 'reviewed' && submission.status === 'under_review'
                  ? 'account.tracker.reviewed.waits'
                  : index === done && step !== 'received'
                    ? `account.tracker.${step}.now`
                    : `account.tracker.${step}`,
            )}
          </span>
          <span className="sr-only">
            {t(
              index < done
                ? 'account.tracker.done'
                : index === done
                  ? 'account.tracker.now'
                  : 'account.tracker.open',
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}

interface TrackerProps {
  submission: SellerSubmission
  /** Hides the names of the steps, below a text that says the status. */
  bare?: boolean
}

/** An offer is the result of a review and waits for the seller's approval. */
function doneSteps(card: SellerSubmission): number {
  const { status, payout } = card
  if (status === 'completed' || payout?.state === 'sent' || payout?.state === 'paid') return 4
  if (payout?.needsAccount || isSafe(card)) return 3
  return { approved: 3, offered: 2 }[sellerStatusOf(status) as string] ?? 1
}
