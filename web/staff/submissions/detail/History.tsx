import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { routes } from '#contract/routes.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import type { HistoryEntry } from '#contract/submissions.ts'
import { Time } from '#web/kit/Time.tsx'
import { read } from '#web/wire/read.ts'
import { StaffStatus } from '../../badges.tsx'
import { viewAddress } from '../../photos/photo-address.ts'
import { QueryStatus } from '../../QueryStatus.tsx'

/** The moves of the submission, oldest first. */
export function History({ id }: { id: string }) {
  const history = useQuery(read(routes.staffHistory, { params: { id } }))
  return (
    <section aria-label="History" className="grid gap-3 border-line border-t p-5">
      <h3 className="text-base">History</h3>
      <QueryStatus query={history} noun="the history" />
      <ol className="grid divide-y divide-line">
        {history.data?.map((entry) => (
          <Entry key={entry.at + entry.to} entry={entry} />
        ))}
      </ol>
    </section>
  )
}

function Entry({ entry }: { entry: HistoryEntry }) {
  return (
    <li className="grid gap-x-6 gap-y-1 py-3 text-sm sm:grid-cols-[10rem_minmax(0,1fr)]">
      <p className="text-soft">
        <Time at={entry.at} as="dateTime" />
      </p>
      <div className="grid gap-1.5">
        <p className="flex flex-wrap items-center gap-2">
          {entry.from !== null && (
            <>
              <StaffStatus status={entry.from} />
              <ArrowRight role="img" aria-label="to" className="text-soft" />
            </>
          )}
          <StaffStatus status={entry.to} />
          <span>
            {entry.from === null ? 'submitted by' : 'by'} <strong>{entry.by}</strong>
          </span>
        </p>
        {entry.images && (
          <p className="text-soft">
            {entry.images.length === 1 ? 'Sent 1 photo' : `Sent ${entry.images.length} photos`}
          </p>
        )}
        {entry.reason && <p className="max-w-prose whitespace-pre-line">{entry.reason}</p>}
      </div>
    </li>
  )
}

interface AnswerProps {
  submission: StaffSubmission
  onOpenPhoto: (photo: string) => void
}

/** The last question to the seller, and the answer. */
export function Answer({ submission, onOpenPhoto }: AnswerProps) {
  const history = useQuery(read(routes.staffHistory, { params: { id: submission.id } }))
  const [asked, answer] = history.data?.slice(-2) ?? []
  const photos = answer?.images ?? []
  return (
    <section aria-label="Answer" className="grid gap-2 rounded-md bg-accent-quiet px-3 py-2 text-sm">
      <h3 className="font-semibold">{submission.user.username} answered</h3>
      <QueryStatus query={history} noun="the answer" />
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
