import { useQuery } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import type { HistoryEntry, SellerSubmission } from '#contract/submissions.ts'
import { sellerWords } from '#domain/submission.ts'
import { statusLook } from '#web/cards/StatusBadge.tsx'
import { cx } from '#web/kit/cx.ts'
import { Failure } from '#web/kit/Notice.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { Time } from '#web/kit/Time.tsx'
import { toneClass } from '#web/kit/tone.ts'
import { messageOf } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'

/** The history of a submission, oldest first. */
export function Timeline({ submission }: { submission: SellerSubmission }) {
  const history = useQuery(read(routes.myHistory, { params: { id: submission.id } }))
  if (history.isPending) return <SkeletonRows rows={1} label="Loading the history" />
  if (history.isError) {
    const message = messageOf(history.error, 'The history could not be loaded.')
    return <Failure message={message} onRetry={() => history.refetch()} />
  }
  return (
    <ol aria-label="History" className="grid">
      {history.data.map((entry) => (
        <Entry key={entry.at + entry.to} entry={entry} />
      ))}
    </ol>
  )
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const { tone, icon: Icon } = statusLook(entry.to)
  return (
    <li className="group grid grid-cols-[2rem_1fr] gap-x-3">
      <span className="grid grid-rows-[auto_1fr] justify-items-center">
        <span className={cx('grid size-8 place-items-center rounded-full', toneClass[tone])}>
          <Icon aria-hidden="true" className="size-4" />
        </span>
        <span className="w-px bg-line group-last:hidden" />
      </span>
      <div className="grid gap-0.5 pb-5 group-last:pb-0">
        <p className="font-medium">{entry.from === null ? 'Submitted' : sellerWords(entry.to).text}</p>
        <p className="text-soft text-sm">
          <Time at={entry.at} as="dateTime" /> · {entry.by === 'seller' ? 'You' : 'Our team'}
        </p>
        {entry.images && (
          <p className="mt-1 text-soft text-sm">
            {entry.images.length === 1 ? '1 photo sent' : `${entry.images.length} photos sent`}
          </p>
        )}
        {entry.reason && <p className="wrap-anywhere mt-1 whitespace-pre-line text-sm">{entry.reason}</p>}
      </div>
    </li>
  )
}
