import { Inbox, SearchX } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { MAX_COUNTED } from '#domain/counting.ts'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Failure } from '#web/kit/Notice.tsx'
import { messageOf } from '#web/wire/errors.ts'
import { QueryStatus } from '../shell/QueryStatus.tsx'
import { useStaffLinks } from '../shell/StaffNav.tsx'
import { type Column, DataTable, type FocusKeys } from './DataTable.tsx'
import { DensitySwitch } from './density.tsx'
import { counted, type Noun, plural } from './nouns.ts'
import { Rows, type RowsProps } from './Rows.tsx'
import type { PagedList } from './use-paged-list.ts'

/** One list of staff: filters, count, rows, and what shows while it loads, fails or is empty. More rows load on scrolling. */
export function List<Row extends { id: string }>(props: ListProps<Row>) {
  const { noun, list, empty, filters, lead, actions, order } = props
  const search = filters && <search className="flex flex-wrap items-center gap-2">{filters}</search>
  const count = (
    <div className="flex min-h-9 flex-1 flex-wrap items-center gap-x-4 gap-y-1">
      {lead}
      <Count noun={noun} list={list} />
      {actions}
      {order && <p className="-mt-1 basis-full pb-1 text-xs">{order}</p>}
    </div>
  )
  const status = <Status noun={noun} list={list} empty={empty} />
  const more = list.query.hasNextPage && <More noun={noun} query={list.query} />

  if (props.columns) {
    return (
      <>
        {search}
        <div className={cx('min-h-0', boxClass)}>
          <div className={cx('px-4 py-1', barClass)}>{count}</div>
          {status}
          {list.rows.length > 0 && (
            <DataTable
              // Other filters start at the top.
              key={list.filterKey}
              isStacked
              caption={plural(noun)}
              columns={props.columns}
              rows={list.rows}
              isOld={list.query.isPlaceholderData}
              {...(props.focusKeys && { focusKeys: props.focusKeys })}
            >
              {more}
            </DataTable>
          )}
        </div>
      </>
    )
  }

  const { label, head, foot, className = cx('flex-1', boxClass), row, rowRem, extraRem, openId } = props
  const bar = props.bar ?? (
    <div className={cx(filters ? 'grid gap-2 p-3' : 'px-4 py-1', barClass)}>
      {search}
      {count}
    </div>
  )
  // On a phone, a head or filters would leave too little room for the rows.
  const isBarMoving = Boolean(head ?? filters)
  return (
    <section aria-label={label} data-list className={className}>
      {!isBarMoving && bar}
      <Rows
        {...{ list, row, rowRem, extraRem, openId }}
        head={
          <>
            {head}
            {isBarMoving && bar}
          </>
        }
        status={status}
      >
        {more}
      </Rows>
      {foot}
    </section>
  )
}

export type ListProps<Row> = CommonProps<Row> & (TableProps<Row> | RichProps<Row>)

interface CommonProps<Row> {
  noun: Noun
  list: PagedList<Row>
  /** What shows without rows. Text is a hint below "No users found" or, without a filter, "No users yet". */
  empty: ReactNode
  filters?: ReactNode
  /** Before the count. */
  lead?: ReactNode
  /** After the count. */
  actions?: ReactNode
  /** How the rows are sorted, below the count. */
  order?: string | undefined
}

interface TableProps<Row> {
  columns: readonly Column<Row>[]
  focusKeys?: FocusKeys
}

interface RichProps<Row> extends RowsProps<Row> {
  columns?: undefined
  label: string
  /** Instead of the filters and the count. */
  bar?: ReactNode
  /** Scrolls with the rows, above the filters. */
  head?: ReactNode
  /** Stays below the rows. */
  foot?: ReactNode
  className?: string
}

const boxClass = '@container flex flex-col overflow-hidden rounded-lg border border-line bg-surface'
const barClass = 'shrink-0 border-line border-b text-soft text-sm'

/** "75 of 401 submissions" or "75 of 1,000+ submissions", and the switch for the height of the rows. */
function Count<Row>({ noun, list: { rows, total, query } }: Pick<CommonProps<Row>, 'noun' | 'list'>) {
  const isCounted = total <= MAX_COUNTED
  const hasUncounted = !isCounted && query.hasNextPage
  const count = isCounted ? total : Math.max(rows.length, hasUncounted ? MAX_COUNTED : 0)
  const whole = hasUncounted ? `${count.toLocaleString('en-US')}+ ${plural(noun)}` : counted(count, noun)
  const loaded = rows.length < count ? `${rows.length.toLocaleString('en-US')} of ${whole}` : whole
  return (
    <div className="flex flex-auto items-center justify-between gap-2">
      <p role="status" className="figures whitespace-nowrap">
        {query.isSuccess || rows.length > 0 ? loaded : query.isPending ? 'Loading...' : 'Not loaded'}
      </p>
      <DensitySwitch />
    </div>
  )
}

/** Nothing was searched for: the icon of the screen. */
function EmptyIcon() {
  const { Icon } = useStaffLinks().find(({ isCurrent }) => isCurrent) ?? { Icon: Inbox }
  return <Icon />
}

function Status<Row>({ noun, list, empty }: Pick<CommonProps<Row>, 'noun' | 'list' | 'empty'>) {
  const { query, rows } = list
  return (
    <div className="p-3 empty:hidden [&>.border-dashed]:border-0">
      {!query.isFetchNextPageError && <QueryStatus query={query} noun={`the ${plural(noun)}`} rows={6} />}
      {query.isSuccess &&
        rows.length === 0 &&
        (typeof empty === 'string' ? (
          <EmptyState
            icon={list.isFiltered ? <SearchX /> : <EmptyIcon />}
            title={`No ${plural(noun)} ${list.isFiltered ? 'found' : 'yet'}`}
          >
            {empty}
          </EmptyState>
        ) : (
          empty
        ))}
    </div>
  )
}

/** Loads the next page shortly before its rows are in view. The button is for readers who do not scroll. */
function More({ noun, query }: { noun: Noun; query: PagedList<unknown>['query'] }) {
  const ahead = useRef<HTMLDivElement>(null)
  const fetchMore = () => void query.fetchNextPage?.()
  const fetchAhead = useEffectEvent(fetchMore)
  // After a failure only the reader tries again, not scrolling.
  const isReady = !query.isFetching && !query.isError
  useEffect(() => {
    if (!isReady || !ahead.current) return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && fetchAhead())
    observer.observe(ahead.current)
    return () => observer.disconnect()
  }, [isReady])
  return (
    <div className="relative p-3 text-center">
      <div
        ref={ahead}
        aria-hidden="true"
        className="pointer-events-none absolute inset-x-0 bottom-0 h-[80rem]"
      />
      {query.isFetchNextPageError ? (
        <Failure
          message={messageOf(query.error, `More ${plural(noun)} could not be loaded.`)}
          onRetry={fetchMore}
        />
      ) : (
        <Button variant="secondary" loading={query.isFetchingNextPage ?? false} onClick={fetchMore}>
          Load more
        </Button>
      )}
    </div>
  )
}
