import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { may } from '#domain/roles.ts'
import type { Status } from '#domain/submission.ts'
import { copyText } from '#web/kit/copy-text.ts'
import { cx } from '#web/kit/cx.ts'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { ApiError } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'
import { Warnings } from '../../facts/Banner.tsx'
import { CardFacts, canReveal } from '../../facts/CardFacts.tsx'
import { ClaimNotice } from '../../facts/ClaimNotice.tsx'
import { Holds } from '../../facts/Holds.tsx'
import { Notes } from '../../facts/Notes.tsx'
import { Photos } from '../../facts/photos/Photos.tsx'
import { useClaim } from '../../facts/use-claim.ts'
import { useReveal } from '../../facts/use-reveal.ts'
import { useSideBySide } from '../../list/use-side-by-side.ts'
import { ignoreKeys } from '../../shell/keys/early-keys.tsx'
import { useKeys } from '../../shell/keys/use-keys.ts'
import { QueryStatus } from '../../shell/QueryStatus.tsx'
import { useDebounced } from '../../shell/use-debounced.ts'
import { useStaff } from '../../shell/use-staff.ts'
import { ActionBar } from '../moves/ActionBar.tsx'
import { ConcurrentMoveNotice, useConcurrentMove } from '../moves/ConcurrentMove.tsx'
import { useMove } from '../moves/use-move.ts'
import { Scene } from '../Scene.tsx'
import { Balance } from './Balance.tsx'
import { DetailHead } from './DetailHead.tsx'
import { DetailSkeleton } from './DetailSkeleton.tsx'
import { Duplicates } from './Duplicates.tsx'
import { History } from './History.tsx'
import { BlockingRisks, OtherRisks } from './Risks.tsx'
import { SellerFacts } from './SellerFacts.tsx'
import { SellerMessages } from './SellerMessages.tsx'

interface DetailProps {
  id: string
  /** Its row in the list, shown until the details arrive. */
  listed: StaffSubmission | undefined
  /** A decision opened it a moment ago, so that a press may still be meant for the one before. */
  justOpened: boolean
  /** Called after a move. @param decided the others that were moved with it @returns whether another submission opens next */
  onMoved: (to: Status, decided?: readonly string[]) => boolean
  /** Called with its id if a move was refused after the next submission has opened. */
  onRefused: (id: string) => void
  /** It opened by itself, so it is claimed only when the reviewer does something with it. */
  isSuggested: boolean
}

const BALANCE_POLL_MS = 5_000

/** The open submission, which need not be in the list. */
export function Detail({ id, listed, ...more }: DetailProps) {
  const call = read(routes.staffSubmission, { params: { id } })
  const loadedAhead = useQueryClient().getQueryData(call.queryKey) !== undefined
  const stayed = useDebounced(true, PASSING_MS, !listed || loadedAhead)
  // Keeps the row if a colleague's move removes it from the list before the details arrive.
  const [opened] = useState(listed)
  const known = listed ?? opened
  const query = useQuery({
    ...call,
    enabled: stayed,
    // The live channel brings the answer. This ends the wait if there is none.
    refetchInterval: ({ state }) => state.data?.balanceRequest?.state === 'asking' && BALANCE_POLL_MS,
    ...(known && { placeholderData: known }),
  })
  const isGone = query.error instanceof ApiError && query.error.status === 404
  if (query.data && !isGone) return <SubmissionDetail submission={query.data} stayed={stayed} {...more} />
  if (query.isPending) return <DetailSkeleton />
  return (
    <div className="p-5">
      {isGone ? (
        <EmptyState icon={<Scene scene="lost" className="mb-6 h-24 w-auto" />} title="Submission not found">
          <span className="block text-balance">It was removed, or the link is wrong.</span>
        </EmptyState>
      ) : (
        <QueryStatus query={query} noun="the submission" />
      )}
    </div>
  )
}

interface SubmissionDetailProps extends Omit<DetailProps, 'id' | 'listed'> {
  submission: StaffSubmission
  /** The reviewer stays on this submission, so photos and duplicates are fetched. */
  stayed: boolean
}

function SubmissionDetail(props: SubmissionDetailProps) {
  const { submission, stayed, justOpened, isSuggested, onMoved, onRefused } = props
  const { admin } = useStaff()
  const seesDetails = may(admin.role, 'see_details')
  const isLoading = seesDetails && submission.risks === null
  const reveal = useReveal(submission.id)
  const claim = useClaim(submission, { isNeeded: !submission.secondPersonNeeded, isUsed: !isSuggested })
  const move = useMove(submission, onMoved, onRefused)
  const concurrentMove = useConcurrentMove(submission, move)
  const [openPhoto, showPhoto] = useState<string>()
  const [historyShown, showHistory] = useState(false)
  const sideBySide = useSideBySide()
  const scroller = useRef<HTMLDivElement>(null)
  const cardFacts = useRef<HTMLDivElement>(null)
  function toggleHistory() {
    showHistory(!historyShown)
    // The history scrolled to itself.
    if (historyShown) scroller.current?.scrollTo({ top: 0 })
  }
  const number = reveal.values?.cardNumber
  useKeys({
    ...(seesDetails && { history: toggleHistory }),
    ...(canReveal(admin, submission) && {
      reveal: () => {
        reveal.toggle()
        // Only if the numbers are out of sight.
        cardFacts.current?.firstElementChild?.scrollIntoView({ block: 'nearest' })
      },
    }),
    // They open what appears only once the reviewer stays.
    ...(!stayed && {
      photos: ignoreKeys,
      duplicates: ignoreKeys,
      writeNote: ignoreKeys,
      messageSeller: ignoreKeys,
    }),
    ...(number && { copyNumber: () => void copyText(number, 'the card number') }),
    ...(sideBySide && {
      scroll: ({ shiftKey }) => {
        const height = scroller.current?.clientHeight ?? 0
        scroller.current?.scrollBy({ top: 0.8 * (shiftKey ? -height : height) })
      },
    }),
  })

  return (
    <>
      <DetailHead
        submission={submission}
        historyShown={historyShown}
        onHistory={toggleHistory}
        onMoved={onMoved}
      />
      <div className="sticky top-0 z-10 border-line border-t bg-surface">
        <ActionBar
          submission={submission}
          move={move}
          claim={claim}
          concurrentMove={concurrentMove}
          justOpened={justOpened}
        />
        <div className="grid gap-2 border-line border-b px-4 py-2 empty:hidden lg:px-5">
          <ClaimNotice claim={claim} />
          <ConcurrentMoveNotice submission={submission} move={concurrentMove} />
        </div>
      </div>
      <div
        ref={scroller}
        aria-busy={isLoading}
        className={cx(
          'figures @container min-h-0 flex-1 overflow-y-auto max-[1100px]:pb-16',
          // A row of the list has no risks, which would move everything below them when they arrive.
          isLoading && 'invisible',
        )}
      >
        <div className="grid gap-2 px-4 pt-3 empty:hidden lg:px-5">
          {stayed && seesDetails && <SellerMessages submission={submission} onOpenPhoto={showPhoto} />}
          <BlockingRisks submission={submission} move={move} claim={claim} />
          <OtherRisks submission={submission} />
          <Warnings submission={submission} />
        </div>
        <div className="grid @2xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] @6xl:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)_minmax(0,1fr)] gap-x-6 gap-y-4 px-4 py-3 lg:px-5">
          <div className="grid grid-cols-1 content-start gap-3">
            {stayed && seesDetails && (
              <Photos submission={submission} reveal={reveal} opened={openPhoto} onOpen={showPhoto} />
            )}
            {seesDetails && <Balance submission={submission} reveal={reveal} move={move} claim={claim} />}
          </div>
          <div ref={cardFacts} className="grid grid-cols-1 content-start gap-3">
            {seesDetails && <CardFacts submission={submission} reveal={reveal} />}
          </div>
          <div className="grid grid-cols-1 @2xl:@max-6xl:col-span-2 content-start @2xl:@max-6xl:grid-cols-2 gap-x-6 gap-y-5">
            {stayed && (
              <>
                {seesDetails && <Duplicates submission={submission} />}
                <SellerFacts submission={submission} />
              </>
            )}
          </div>
        </div>
        {historyShown && stayed && seesDetails && <History id={submission.id} />}
        {stayed && seesDetails && <SubmissionNotes id={submission.id} />}
      </div>
    </>
  )
}

function SubmissionNotes({ id }: { id: string }) {
  const notes = useRef<HTMLDivElement>(null)
  useKeys({ writeNote: () => notes.current?.querySelector('textarea')?.focus() })
  return (
    <div ref={notes} className="grid @2xl:grid-cols-2 gap-x-6 gap-y-4 border-line border-t px-4 py-3 lg:px-5">
      <Notes key={id} about={{ submissionId: id }} />
      <Holds key={`hold ${id}`} about={{ submissionId: id }} />
    </div>
  )
}

/**
 * Longer than the key repeat of about 35 ms: holding J does not fetch photos and duplicates of each submission it passes,
 * which would run into the rate limit.
 */
const PASSING_MS = 80
