import { cx } from '#web/kit/cx.ts'
import { Failure } from '#web/kit/Notice.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { messageOf } from '#web/wire/errors.ts'
import { useStaff } from '../StaffArea.tsx'
import { useNow } from '../time/use-now.ts'
import { holderAt } from './claims/holder.ts'
import type { SubmissionListProps } from './SubmissionList.tsx'
import { SubmissionRow } from './SubmissionRow.tsx'
import { useRows } from './use-rows.ts'

/** The rows in sight, and a few more; the others are fetched and shown as one scrolls. */
export function SubmissionRows({ list, control, openId }: SubmissionListProps) {
  const { query, rows, total } = list
  const { admin } = useStaff()
  const now = useNow(10_000)
  const { scroller, shown, height } = useRows(list, openId)
  return (
    <div
      ref={scroller}
      className={cx('min-h-0 flex-1 overflow-y-auto', query.isPlaceholderData && 'opacity-60')}
    >
      <ul className="relative" style={{ height }}>
        {shown.map(({ index, start }) => {
          const row = rows[index]
          const holder = row && holderAt(row.claimedBy, now)
          return (
            row && (
              <SubmissionRow
                key={row.id}
                submission={row}
                open={row.id === openId}
                linkTo={control.linkTo}
                now={now}
                colleague={holder?.id === admin.id ? undefined : holder?.username}
                place={index + 1}
                total={total}
                start={start}
              />
            )
          )
        })}
      </ul>
      {query.isFetchNextPageError ? (
        <div className="p-3">
          <Failure
            message={messageOf(query.error, 'More submissions could not be loaded.')}
            onRetry={() => query.fetchNextPage()}
          />
        </div>
      ) : (
        query.hasNextPage && <Skeleton className="m-3 h-12" />
      )}
    </div>
  )
}
