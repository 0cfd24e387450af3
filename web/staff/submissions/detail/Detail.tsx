import { useQuery } from '@tanstack/react-query'
import { FileX } from 'lucide-react'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import type { Status } from '#domain/submission.ts'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Failure } from '#web/kit/Notice.tsx'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'
import type { ViewControl } from '../view.ts'
import { DetailSkeleton } from './DetailFrame.tsx'
import { SubmissionDetail } from './SubmissionDetail.tsx'
import { useLingered } from './use-lingered.ts'

export interface DetailProps {
  id: string
  /** What the list knows of it: shown until its own answer is here. */
  listed: StaffSubmission | undefined
  /** Nobody chose it: it followed one that was decided. */
  cameByItself: boolean
  /** It was moved. Answers whether another one takes its place. */
  onMoved: (to: Status) => boolean
  /** Numbers were revealed, or hidden again. */
  onReveal: (revealed: boolean) => void
  linkTo: ViewControl['linkTo']
}

/** The open submission; one that isn't in the list (a link somebody sent) is fetched all the same. */
export function Detail({ id, listed, ...more }: DetailProps) {
  const lingered = useLingered({ atOnce: !listed })
  // A colleague's move may take it out of the list before its own answer is here: it stays open as it was.
  const [opened] = useState(listed)
  const known = listed ?? opened
  const { data, error, isError, refetch } = useQuery({
    ...read(routes.staffSubmission, { params: { id } }),
    enabled: lingered,
    ...(known && { placeholderData: known }),
  })
  const gone = isError && isGone(error)
  return (
    <>
      {data && !gone && <SubmissionDetail submission={data} lingered={lingered} {...more} />}
      {gone && (
        <div className="p-5">
          <EmptyState icon={<FileX aria-hidden="true" />} title="There is no such submission">
            It was removed, or the link is not right.
          </EmptyState>
        </div>
      )}
      {!data && isError && !gone && (
        <div className="p-5">
          <Failure
            message={messageOf(error, 'The submission could not be loaded.')}
            onRetry={() => void refetch()}
          />
        </div>
      )}
      {!data && !isError && <DetailSkeleton />}
    </>
  )
}

function isGone(error: Error): boolean {
  return error instanceof ApiError && error.status === 404
}
