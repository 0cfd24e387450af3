import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { routes } from '#contract/routes.ts'
import type { HistoryEntry } from '#contract/submissions.ts'
import type { HistoryName } from '#domain/submission.ts'
import { Money } from '#web/kit/Money.tsx'
import { showInView } from '#web/kit/media.ts'
import { Time } from '#web/kit/Time.tsx'
import { read } from '#web/wire/read.ts'
import { StaffStatus } from '../../facts/badges.tsx'
import { QueryStatus } from '../../shell/QueryStatus.tsx'

/** What happened to the submission, oldest first. Receives focus and scrolls into view when it opens. */
export function History({ id }: { id: string }) {
  const history = useQuery(read(routes.staffHistory, { params: { id } }))
  const section = useRef<HTMLElement>(null)
  useEffect(() => section.current?.focus({ preventScroll: true }), [])
  // Again when it has its height.
  useEffect(() => showInView(section.current), [history.isSuccess])
  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label="History"
      className="grid gap-1 border-line border-t px-4 py-3 outline-none lg:px-5"
    >
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

const did: Readonly<Record<HistoryName, string>> = {
  submit: 'Submitted',
  start: 'Started processing',
  approve: 'Approved',
  reject: 'Rejected',
  ask: 'Asked the seller',
  offer: 'Offered',
  accept: 'Accepted',
  decline: 'Declined the offer',
  expire: 'Offer ended',
  rescind: 'Rescinded the offer',
  appeal: 'Appealed',
  withdraw: 'Withdrew',
  resume: 'Resumed the review',
  answer: 'Answered',
  complete: 'Completed',
  fail: 'Marked as failed',
  revert: 'Reverted to processing',
  return: 'Payout came back',
  change_account: 'Named another account',
  recheck: 'Found less right before the payout',
  undo: 'Undid the last decision',
  unknown: 'Changed the status',
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const { move, amount, at, by, to, reason, images, policy, needsAccount } = entry
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-4 gap-y-0.5 py-2 text-sm @lg:grid-cols-[8rem_minmax(0,1fr)_auto]">
      <p className="text-soft @max-lg:col-span-full">
        <Time at={at} as="dateTime" />
      </p>
      <p>
        <strong className="font-semibold">
          {did[move]} {amount && <Money amount={amount} />}
        </strong>{' '}
        <span className="text-soft">by {policy ? `“${policy.name}” v${policy.version}` : by}</span>
      </p>
      <StaffStatus {...{ status: to, needsAccount }} />
      {(reason || images) && (
        <div className="col-span-full grid max-w-prose gap-0.5 @lg:col-start-2">
          {reason && <p className="wrap-anywhere whitespace-pre-line">{reason}</p>}
          {images && (
            <p className="text-soft">
              {images.length === 1 ? 'Sent 1 photo' : `Sent ${images.length} photos`}
            </p>
          )}
        </div>
      )}
    </li>
  )
}
