import { useRef } from 'react'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { Failure } from '#web/kit/Notice.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { messageOf } from '#web/wire/errors.ts'
import { SearchField } from '../filters/SearchField.tsx'
import { ThreadRows } from './ThreadRows.tsx'
import type { Threads } from './use-threads.ts'

interface ThreadListProps {
  threads: Threads
  selected: string | undefined
  onSelect: (id: string) => void
  /** What is searched for. */
  q: string
  onSearch: (q: string) => void
  className?: string
}

export function ThreadList({ threads, selected, onSelect, q, onSearch, className }: ThreadListProps) {
  const { query, rows, total, more } = threads
  const scroller = useRef<HTMLDivElement>(null)
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
          {query.data && (
            <span className="figures rounded-full bg-neutral-quiet px-2 py-0.5 text-neutral text-xs">
              {total.toLocaleString('en-US')}
            </span>
          )}
        </h2>
        <SearchField
          label="Search conversations"
          placeholder="Search conversations..."
          value={q}
          onChange={onSearch}
        />
      </div>
      <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto">
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
          <p role="status" className="p-6 text-center text-soft">
            No conversations found
          </p>
        )}
        <ThreadRows
          rows={rows}
          selected={selected}
          onSelect={onSelect}
          scroller={scroller}
          // What failed is tried again by its button and not by scrolling.
          fetchMore={more.error || more.loading ? undefined : more.load}
          faded={query.isPlaceholderData}
        />
        {more.load && (
          <div className="p-3">
            {more.error && (
              <p role="alert" className="pb-2 text-center text-negative text-sm">
                {messageOf(more.error, 'More conversations could not be loaded.')}
              </p>
            )}
            <Button variant="secondary" wide loading={more.loading} onClick={more.load}>
              Load more
            </Button>
          </div>
        )}
      </div>
    </section>
  )
}
