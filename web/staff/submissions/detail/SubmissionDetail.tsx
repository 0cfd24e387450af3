import { useEffect, useState } from 'react'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { useKeys } from '../../keys/use-keys.ts'
import { Photos } from '../../photos/Photos.tsx'
import { ClaimNotice } from '../claims/ClaimNotice.tsx'
import { useClaim } from '../claims/use-claim.ts'
import { ActionBar } from '../moves/ActionBar.tsx'
import { LostRace } from '../moves/LostRace.tsx'
import { useMeanwhile } from '../moves/use-meanwhile.ts'
import { useMove } from '../moves/use-move.ts'
import { Answer } from './Answer.tsx'
import { CardFacts, isErased } from './CardFacts.tsx'
import type { DetailProps } from './Detail.tsx'
import { DetailHead } from './DetailHead.tsx'
import { Duplicates } from './Duplicates.tsx'
import { History } from './History.tsx'
import { SellerFacts } from './SellerFacts.tsx'
import { useReveal } from './use-reveal.ts'
import { Warnings } from './Warnings.tsx'

interface SubmissionDetailProps extends Omit<DetailProps, 'id' | 'listed'> {
  submission: StaffSubmission
  /** Somebody has stayed with it: the rest may be fetched. */
  lingered: boolean
}

/** All the evidence on one screen: photos, what was typed, who sent it, and what it resembles. */
export function SubmissionDetail(props: SubmissionDetailProps) {
  const { submission, lingered, cameByItself, onMoved, onReveal, linkTo } = props
  const reveal = useReveal(submission.id)
  const isRevealed = reveal.isPending || reveal.values !== undefined
  useEffect(() => {
    onReveal(isRevealed)
    return () => onReveal(false)
  }, [isRevealed, onReveal])
  const claim = useClaim(submission)
  const move = useMove(submission, onMoved)
  const meanwhile = useMeanwhile(submission, move)
  // A submission with a past tells why it looks as it does: a question, an answer, a decision taken back.
  const [openPhoto, showPhoto] = useState<string>()
  const [historyShown, showHistory] = useState(submission.version > 1)
  useKeys({
    history: () => showHistory(!historyShown),
    ...(!isErased(submission) && { reveal: reveal.toggle }),
  })

  return (
    <>
      <DetailHead submission={submission} />
      <div className="top-0 z-10 bg-surface md:sticky">
        <ActionBar
          submission={submission}
          move={move}
          claim={claim}
          meanwhile={meanwhile}
          cameByItself={cameByItself}
          historyShown={historyShown}
          onHistory={() => showHistory(!historyShown)}
        />
        <div className="grid gap-2 border-line border-b px-4 py-3 empty:hidden lg:px-5">
          <ClaimNotice claim={claim} />
          <LostRace submission={submission} meanwhile={meanwhile} />
        </div>
      </div>
      <div className="@container min-h-0 flex-1 overflow-y-auto">
        <div className="grid gap-2 px-4 pt-4 empty:hidden lg:px-5">
          {submission.answered && lingered && <Answer submission={submission} onOpenPhoto={showPhoto} />}
          <Warnings submission={submission} />
        </div>
        <div className="grid @2xl:grid-cols-2 @4xl:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)_minmax(0,1fr)] gap-x-6 gap-y-5 px-4 py-4 lg:px-5">
          <div>
            {lingered && (
              <Photos submission={submission} reveal={reveal} opened={openPhoto} onOpen={showPhoto} />
            )}
          </div>
          <div className="grid content-start gap-5">
            <CardFacts submission={submission} reveal={reveal} />
          </div>
          <div className="grid @2xl:@max-4xl:col-span-2 content-start @2xl:@max-4xl:grid-cols-2 gap-x-6 gap-y-5">
            {lingered && (
              <>
                <Duplicates submission={submission} linkTo={linkTo} />
                <SellerFacts submission={submission} linkTo={linkTo} />
              </>
            )}
          </div>
        </div>
        {historyShown && lingered && <History id={submission.id} />}
      </div>
    </>
  )
}
