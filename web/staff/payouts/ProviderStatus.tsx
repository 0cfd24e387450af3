import type { WireBatch } from '#contract/payouts.ts'
import type { ProviderState } from '#domain/payout-provider.ts'
import { Money } from '#web/kit/Money.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { Time } from '#web/kit/Time.tsx'
import { providerProblemWords } from '../facts/payout-words.ts'

/** Where a batch is that PayPal sends, and what keeps it from going on. */
export function ProviderStatus({ batch }: { batch: WireBatch }) {
  const { state, providerState, providerProblem, providerDetail, providerBatchId, providerFee } = batch
  if (!providerState || state === 'void') return null
  const problem = providerProblem && providerProblemWords[providerProblem]
  return (
    <>
      <p className="text-sm">
        {stateWords[providerState]}
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
    </>
  )
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
