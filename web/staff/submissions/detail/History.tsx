import { useQuery } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { routes } from '#contract/routes.ts'
import type { HistoryEntry } from '#contract/submissions.ts'
import { staffStatus, statusRules } from '#domain/submission.ts'
import { Failure } from '#web/kit/Notice.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { StatusBadge } from '#web/kit/StatusBadge.tsx'
import { Time } from '#web/kit/Time.tsx'
import { messageOf } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'

/** Who moved the submission when, from where to where, and with which words; oldest first. */
export function History({ id }: { id: string }) {
  const history = useQuery(read(routes.staffHistory, { params: { id } }))
  return (
    <section aria-label="History" className="grid gap-3 border-line border-t p-5">
      <h3 className="text-base">History</h3>
      {history.isPending && <SkeletonRows rows={1} label="Loading the history" />}
      {history.isError && (
        <Failure
          message={messageOf(history.error, 'The history could not be loaded.')}
          onRetry={() => void history.refetch()}
        />
      )}
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
              <Badge word={entry.from} />
              <ArrowRight role="img" aria-label="to" className="size-4 text-soft" />
            </>
          )}
          <Badge word={entry.to} />
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

function Badge({ word }: { word: string }) {
  const status = staffStatus(word)
  return <StatusBadge status={status}>{statusRules[status].label}</StatusBadge>
}
