import { messageOf } from '../../api/errors.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { Failure } from '../../ui/Notice.tsx'
import { SkeletonRows } from '../../ui/Skeleton.tsx'
import { SearchField } from '../filters/SearchField.tsx'
import { ThreadRow } from './ThreadRow.tsx'
import type { Threads } from './use-threads.ts'

interface ThreadListProps {
  threads: Threads
  selected: string | undefined
  onSelect: (id: string) => void
  onSearch: (q: string) => void
  className?: string
}

export function ThreadList({ threads, selected, onSelect, onSearch, className }: ThreadListProps) {
  const { query, rows, total, q } = threads
  return (
    <section
      aria-label="Conversations"
      className={cx(
        'flex min-h-0 flex-col overflow-hidden rounded-lg border border-line bg-surface',
        className,
      )}
    >
      <div className="grid gap-3 border-line border-b p-3">
        <h2 className="flex items-center gap-2 px-1 text-base">
          Conversations
          <span className="figures rounded-full bg-neutral-quiet px-2 py-0.5 text-neutral text-xs">
            {total}
          </span>
        </h2>
        <SearchField
          label="Search conversations"
          placeholder="Search conversations..."
          value={q}
          onChange={onSearch}
        />
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto">
        {query.isPending && (
          <div className="p-3">
            <SkeletonRows rows={5} label="Loading the conversations" />
          </div>
        )}
        {query.isError && rows.length === 0 && (
          <div className="p-3">
            <Failure
              message={messageOf(query.error, 'The conversations could not be loaded.')}
              onRetry={() => void query.refetch()}
            />
          </div>
        )}
        {query.isSuccess && rows.length === 0 && (
          <p className="p-6 text-center text-soft">No conversations found</p>
        )}
        <ul className="divide-y divide-line">
          {rows.map((thread) => (
            <ThreadRow
              key={thread.id}
              thread={thread}
              open={thread.id === selected}
              onSelect={() => onSelect(thread.id)}
            />
          ))}
        </ul>
        {query.hasNextPage && (
          <div className="p-3">
            <Button
              variant="secondary"
              wide
              loading={query.isFetchingNextPage}
              onClick={() => void query.fetchNextPage()}
            >
              Load more
            </Button>
          </div>
        )}
      </div>
    </section>
  )
}
