import { useState } from 'react'
import type { SellerSubmission } from '#contract/submissions.ts'
import { MASK } from '#domain/card-number.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { cardName } from '#web/cards/text.ts'
import { Button } from '#web/kit/Button.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { Time } from '#web/kit/Time.tsx'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import { CardLink } from '../card/CardLink.tsx'
import { CardState, Price } from '../card/CardState.tsx'
import { Timeline } from '../card/Timeline.tsx'
import { Tracker } from '../card/Tracker.tsx'

/** A submission in progress: what it pays, its status, and what the seller can do. */
export function OpenSubmission({ submission, isAccountAskedAbove, onAnswer }: OpenSubmissionProps) {
  const [history, setHistory] = useState(false)
  const t = useWords()
  const { brandName, cardNumber } = submission
  // Tells cards of one brand apart.
  const digits = cardNumber.startsWith(MASK) ? [cardNumber.slice(-4)] : []
  return (
    <Panel aria-label={[cardName(brandName), ...digits].join(' ')} className="flex h-full flex-col gap-4">
      <Head submission={submission} />
      <Tracker submission={submission} bare />
      <CardState {...{ submission, isAccountAskedAbove, onAnswer }} inList>
        <Button
          variant="quiet"
          size="sm"
          aria-expanded={history}
          onClick={() => setHistory(!history)}
          className="first:-ml-3 not-first:-mr-3 not-first:ml-auto"
        >
          {t('processing.history')}
        </Button>
      </CardState>
      {history && <Timeline submission={submission} />}
    </Panel>
  )
}

interface OpenSubmissionProps {
  submission: SellerSubmission
  isAccountAskedAbove: boolean
  onAnswer: () => void
}

function Head({ submission }: { submission: SellerSubmission }) {
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-4">
      <BrandTile name={submission.brandName} />
      <div className="min-w-0 flex-1 basis-36">
        <h2 className="wrap-anywhere text-lg">
          <CardLink card={submission} />
        </h2>
        <p className="text-soft text-sm">
          <Rich id="processing.submitted" tags={{ date: () => <Time at={submission.createdAt} /> }} />
        </p>
      </div>
      <div className="max-sm:w-full">
        <Price submission={submission} size="lines" />
      </div>
    </div>
  )
}
