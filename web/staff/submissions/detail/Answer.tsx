import { useQuery } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { Failure } from '#web/kit/Notice.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { messageOf } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'
import { viewAddress } from '../../photos/photo-address.ts'

interface AnswerProps {
  submission: StaffSubmission
  /** Shows one of the submission's photos in full size. */
  onOpenPhoto: (photo: string) => void
}

/** The last question of staff with the seller's answer to it. */
export function Answer({ submission, onOpenPhoto }: AnswerProps) {
  const history = useQuery(read(routes.staffHistory, { params: { id: submission.id } }))
  const [asked, answer] = history.data?.slice(-2) ?? []
  const photos = answer?.images ?? []
  return (
    <section aria-label="Answer" className="grid gap-2 rounded-md bg-accent-quiet px-3 py-2 text-sm">
      <h3 className="font-semibold">{submission.user.username} has answered</h3>
      {history.isPending && <SkeletonRows rows={1} label="Loading the answer" />}
      {history.isError && (
        <Failure
          message={messageOf(history.error, 'The answer could not be loaded.')}
          onRetry={() => void history.refetch()}
        />
      )}
      {answer && (
        <dl className="grid gap-x-4 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)]">
          <dt className="text-soft">Question</dt>
          <dd className="wrap-anywhere max-w-prose whitespace-pre-line">{asked?.reason}</dd>
          <dt className="text-soft">Answer</dt>
          <dd className="wrap-anywhere max-w-prose whitespace-pre-line">
            {answer.reason ?? 'No message, only photos'}
          </dd>
        </dl>
      )}
      {photos.length > 0 && (
        <ul aria-label="New photos" className="flex flex-wrap gap-2">
          {photos.map((photo) => (
            <li key={photo}>
              <button
                type="button"
                onClick={() => onOpenPhoto(photo)}
                aria-label={`Open new photo ${submission.imageUrl.indexOf(photo) + 1}`}
                className="block h-24 cursor-zoom-in overflow-hidden rounded-md bg-sunken"
              >
                <img src={viewAddress(photo, 'thumbnail')} alt="" className="h-full object-contain" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
