import { SearchX } from 'lucide-react'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Failure } from '#web/kit/Notice.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { messageOf } from '#web/wire/errors.ts'
import { Count } from './Count.tsx'
import { type Column, DataTable } from './DataTable.tsx'
import type { PagedList } from './use-paged-list.ts'

interface PagedTableProps<Row> {
  /** What the rows are, in the plural and in small letters. */
  noun: string
  list: PagedList<Row>
  columns: readonly Column<Row>[]
  /** What may be done when there is nothing to show. */
  whenEmpty: string
}

/** A list that grows, as a table: how many there are, the rows, and the way to more. */
export function PagedTable<Row extends { id: string }>(props: PagedTableProps<Row>) {
  const { noun, list, columns, whenEmpty } = props
  const { rows, total, query } = list
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <p role="status" className="figures border-line border-b px-4 py-2 text-soft text-sm">
        {query.isSuccess || rows.length > 0 ? (
          <Count shown={rows.length} total={total} noun={noun} />
        ) : query.isPending ? (
          'Loading...'
        ) : (
          'Not loaded'
        )}
      </p>
      <div className={cx(query.isPlaceholderData && 'opacity-60')}>
        {query.isPending && (
          <div className="p-4">
            <SkeletonRows rows={5} label={`Loading the ${noun}`} />
          </div>
        )}
        {query.isError && (
          <div className="p-4">
            <Failure
              message={messageOf(query.error, `The ${noun} could not be loaded.`)}
              onRetry={() => void query.refetch()}
            />
          </div>
        )}
        {query.isSuccess && rows.length === 0 && (
          <div className="p-4">
            <EmptyState icon={<SearchX aria-hidden="true" />} title={`No ${noun} found`}>
              {whenEmpty}
            </EmptyState>
          </div>
        )}
        {rows.length > 0 && <DataTable caption={noun} columns={columns} rows={rows} />}
      </div>
      {query.hasNextPage && (
        <div className="border-line border-t p-3 text-center">
          <Button
            variant="secondary"
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            Load more
          </Button>
        </div>
      )}
    </div>
  )
}
