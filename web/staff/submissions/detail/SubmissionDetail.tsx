import { useState } from 'react'
import type { StaffSubmission } from '#contract/submissions.ts'
import { useKeys } from '../../keys/use-keys.ts'
import { Photos } from '../../photos/Photos.tsx'
import { ActionBar } from '../moves/ActionBar.tsx'
import { LostRace } from '../moves/LostRace.tsx'
import { useMove } from '../moves/use-move.ts'
import { CardFacts } from './CardFacts.tsx'
import type { DetailProps } from './Detail.tsx'
import { DetailHead } from './DetailHead.tsx'
import { History } from './History.tsx'
import { SellerFacts } from './SellerFacts.tsx'
import { useReveal } from './use-reveal.ts'
import { Warnings } from './Warnings.tsx'

interface SubmissionDetailProps extends Omit<DetailProps, 'id' | 'listed'> {
  submission: StaffSubmission
}

export function SubmissionDetail({ submission, cameByItself, onDecided, linkTo }: SubmissionDetailProps) {
  const reveal = useReveal(submission.id)
  const move = useMove(submission, onDecided)
  // A submission with a past tells why it looks as it does: a question, an answer, a decision taken back.
  const [historyShown, showHistory] = useState(submission.version > 1)
  useKeys({ history: () => showHistory(!historyShown), reveal: reveal.toggle })

  return (
    <>
      <DetailHead submission={submission} />
      <ActionBar
        submission={submission}
        move={move}
        cameByItself={cameByItself}
        historyShown={historyShown}
        onHistory={() => showHistory(!historyShown)}
      />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <div className="grid gap-2 px-5 pt-5 empty:hidden">
          <LostRace error={move.error} />
          <Warnings submission={submission} linkTo={linkTo} />
        </div>
        <div className="grid gap-x-8 gap-y-6 p-5 xl:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
          <Photos submission={submission} reveal={reveal} />
          <div className="grid content-start gap-6">
            <CardFacts submission={submission} reveal={reveal} />
            <SellerFacts submission={submission} linkTo={linkTo} />
          </div>
        </div>
        {historyShown && <History id={submission.id} />}
      </div>
    </>
  )
}
