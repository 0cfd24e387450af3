import type { WireBatch } from '#contract/payouts.ts'
import { mayAbandon, type ProviderState } from '#domain/payout-provider.ts'
import { referenceOf } from '#domain/reference.ts'
import { TextLink } from '#web/kit/Button.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { Time } from '#web/kit/Time.tsx'
import { pathTo } from '#web/words/paths.ts'
import { counted, providerProblemWords } from '../facts/payout-words.ts'

/** Where a batch is that PayPal sends, and what keeps it from going on. */
export function ProviderStatus({ batch }: { batch: WireBatch }) {
  const { state, providerState, providerProblem, providerDetail, providerBatchId, providerFee } = batch
  if (!providerState || state === 'void') return null
  const problem = mayAbandon(batch) ? lost : providerProblem && providerProblemWords[providerProblem]
  return (
    <>
      <p className="text-sm">
        {state === 'rejected' && !providerBatchId
          ? 'Two people confirmed that PayPal does not have it. Its payouts are due again under new numbers.'
          : mayAbandon(batch)
            ? 'PayPal never answered.'
            : stateWords[providerState]}
        {providerBatchId && (
          <span className="text-soft">
            {' '}
            PayPal’s batch: <span className="font-mono">{providerBatchId}</span>
          </span>
        )}
        {providerFee !== '0.00' && (
          <span className="text-soft">
            {' · Fees: '}
            <Money amount={providerFee} />
          </span>
        )}
      </p>
      {problem && (
        <Notice tone={providerState === 'denied' ? 'negative' : 'caution'} title={problem.name}>
          {problem.whatToDo}
          {providerDetail && ` (${providerDetail})`}
          {batch.providerNextAt && (
            <>
              {' '}
              Next attempt: <Time at={batch.providerNextAt} as="dateTime" />.
            </>
          )}
        </Notice>
      )}
      {batch.paidTwice.length > 0 && <PaidTwice submissions={batch.paidTwice} />}
    </>
  )
}

/** Submissions that the notice names. */
const MAX_NAMED = 10

function PaidTwice({ submissions }: { submissions: readonly string[] }) {
  const more = submissions.length - MAX_NAMED
  return (
    <Notice tone="negative" title={`${counted(submissions.length)} left twice`}>
      By this batch and by another payment:{' '}
      {submissions.slice(0, MAX_NAMED).map((id, index) => (
        <span key={id}>
          {index > 0 && ', '}
          <TextLink to={pathTo('adminPayouts', { view: 'all', q: id })}>{referenceOf(id)}</TextLink>
        </span>
      ))}
      {more > 0 && ` and ${more} more`}. Ask these sellers to send one payment back. If they refund it at
      PayPal, this notice goes away.
    </Notice>
  )
}

const lost = {
  name: 'PayPal may have paid this batch, and only people can find out',
  whatToDo:
    'Its request got no answer, and after 25 days PayPal no longer recognizes a repeated one, so nothing is sent any more. Look for the batch in PayPal’s activity. If it is there, enter its ID. If not, report that, and another person confirms it.',
}

const stateWords: Readonly<Record<ProviderState, string>> = {
  waiting: 'Waits to be sent through PayPal.',
  sending: 'Being sent through PayPal.',
  pending: 'Sent to PayPal, which checks it.',
  processing: 'PayPal is paying it.',
  success: 'Sent through PayPal.',
  denied: 'PayPal denied it, so nothing was sent.',
  canceled: 'It was canceled at PayPal, so nothing was sent.',
}
