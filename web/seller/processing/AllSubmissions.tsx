import { useState } from 'react'
import type { SellerSubmission } from '#contract/submissions.ts'
import { sellerWords } from '#domain/submission.ts'
import { BrandTile } from '#web/cards/BrandTile.tsx'
import { Button } from '#web/kit/Button.tsx'
import { Money } from '#web/kit/Money.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { StatusBadge } from '#web/kit/StatusBadge.tsx'
import { Time } from '#web/kit/Time.tsx'
import { rowsOf } from '#web/wire/read.ts'
import { type List, LoadMore } from '../LoadMore.tsx'
import { SellerAmount } from '../SellerAmount.tsx'
import { NotLoaded } from './NotLoaded.tsx'
import { Timeline } from './Timeline.tsx'

/** Everything the seller has ever submitted. */
export function AllSubmissions({ list }: { list: List<SellerSubmission> }) {
  // Nothing submitted yet: the part above says so.
  if (list.isSuccess && rowsOf(list.data).length === 0) return null
  return (
    <section aria-labelledby="all-submissions" className="grid grid-cols-1 gap-4">
      <h2 id="all-submissions" className="text-xl">
        All Submissions
      </h2>
      <Submissions list={list} />
    </section>
  )
}

function Submissions({ list }: { list: List<SellerSubmission> }) {
  const submissions = rowsOf(list.data)
  if (list.isPending) return <SkeletonRows rows={3} label="Loading all submissions" />
  if (submissions.length === 0) return <NotLoaded lists={[list]} />
  return (
    <>
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {submissions.map((submission) => (
          <Submission key={submission.id} submission={submission} />
        ))}
      </ul>
      <LoadMore list={list} />
    </>
  )
}

function Submission({ submission }: { submission: SellerSubmission }) {
  const [history, setHistory] = useState(false)
  const words = sellerWords(submission.status)
  // A question or why it ended; what the seller has answered needs no repeating.
  const told = submission.statusReason && (words.final || submission.status === 'under_review')
  return (
    <li className="grid grid-cols-1 gap-2 p-4 pb-3 md:px-6">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <BrandTile name={submission.brandName} size="sm" />
        <div className="min-w-40 flex-1">
          <p className="font-medium">{submission.brandName}</p>
          <p className="text-soft text-sm">
            <Time at={submission.createdAt} /> · Card value <Money amount={submission.denomination} />
          </p>
        </div>
        <StatusBadge status={submission.status}>{words.label}</StatusBadge>
        <SellerAmount
          amount={submission.sellingPrice}
          status={submission.status}
          className="ml-auto min-w-24 text-right"
        />
      </div>
      <div className="flex items-center justify-between gap-4">
        <p className="wrap-anywhere min-w-0 text-sm">
          <span className="font-medium">{words.text}</span>
          {told && <span className="block whitespace-pre-line text-soft">{submission.statusReason}</span>}
        </p>
        <Button
          variant="quiet"
          size="sm"
          aria-expanded={history}
          onClick={() => setHistory(!history)}
          className="-mr-3"
        >
          History
        </Button>
      </div>
      {history && <Timeline submission={submission} />}
    </li>
  )
}
