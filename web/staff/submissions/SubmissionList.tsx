import { Inbox, SearchX } from 'lucide-react'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Failure } from '#web/kit/Notice.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { messageOf } from '#web/wire/errors.ts'
import { Count } from '../lists/Count.tsx'
import { ClearAll } from './ClearAll.tsx'
import { SubmissionRows } from './SubmissionRows.tsx'
import type { useSubmissions } from './use-submissions.ts'
import type { ViewControl } from './view.ts'

export interface SubmissionListProps {
  list: ReturnType<typeof useSubmissions>
  control: ViewControl
  openId: string | undefined
}

export function SubmissionList({
  list,
  control,
  openId,
  onCleared,
}: SubmissionListProps & { onCleared: () => void }) {
  const { query, rows, total } = list
  const { q, status, brand } = control.view
  return (
    <section
      aria-label="Submissions"
      className="flex max-h-72 min-h-0 flex-col overflow-hidden rounded-lg border border-line bg-surface min-[1100px]:max-h-none"
    >
      <div className="flex min-h-11 items-center justify-between gap-2 border-line border-b pr-1 pl-4 text-soft text-sm">
        <p role="status" className="figures">
          {query.isSuccess && <Count shown={rows.length} total={total} noun="submissions" />}
          {query.isPending && 'Loading...'}
          {query.isError && rows.length === 0 && 'Not loaded'}
        </p>
        <ClearAll onCleared={onCleared} />
      </div>
      {query.isPending && (
        <div className="overflow-hidden p-3">
          <SkeletonRows rows={6} label="Loading the submissions" />
        </div>
      )}
      {query.isError && !query.isFetchNextPageError && (
        <div className="p-3">
          <Failure
            message={messageOf(query.error, 'The submissions could not be loaded.')}
            onRetry={() => query.refetch()}
          />
        </div>
      )}
      {query.isSuccess && rows.length === 0 && <Nothing filtered={Boolean(q || status || brand)} />}
      {rows.length > 0 && (
        <SubmissionRows
          key={JSON.stringify([q, status, brand])}
          list={list}
          control={control}
          openId={openId}
        />
      )}
    </section>
  )
}

function Nothing({ filtered }: { filtered: boolean }) {
  return (
    <div className="overflow-y-auto p-3">
      {filtered ? (
        <EmptyState icon={<SearchX aria-hidden="true" />} title="No submission matches">
          Change the search or the filters.
        </EmptyState>
      ) : (
        <EmptyState icon={<Inbox aria-hidden="true" />} title="No submissions yet">
          They appear here as sellers send them.
        </EmptyState>
      )}
    </div>
  )
}
