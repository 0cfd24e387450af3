import { useInfiniteQuery } from '@tanstack/react-query'
import { Hourglass } from 'lucide-react'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { SellerSubmission } from '#contract/submissions.ts'
import { ButtonLink } from '#web/kit/Button.tsx'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { PageHeader } from '#web/kit/Panel.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { readPages, rowsOf } from '#web/wire/read.ts'
import { paths } from '#web/words/paths.ts'
import { type List, LoadMore } from '../LoadMore.tsx'
import { SellerNav } from '../SellerNav.tsx'
import { AllSubmissions } from './AllSubmissions.tsx'
import { AnswerDialog } from './AnswerDialog.tsx'
import { NotLoaded } from './NotLoaded.tsx'
import { OpenSubmission } from './OpenSubmission.tsx'

export default function Processing() {
  const open = useInfiniteQuery(readPages(routes.mySubmissions, { open: 'true' }))
  const all = useInfiniteQuery(readPages(routes.mySubmissions))
  // Here and not in the card, which leaves the list when its submission is rejected while the seller writes.
  const [answering, setAnswering] = useState<{ submission: SellerSubmission; open: boolean }>()
  const answered = [...rowsOf(open.data), ...rowsOf(all.data)].find(
    ({ id }) => id === answering?.submission.id,
  )
  return (
    <div className="measure grid grid-cols-1 gap-8 py-8 md:py-12">
      <PageTitle>Processing</PageTitle>
      <PageHeader title="Processing">Cards on their way from review to payout.</PageHeader>
      <SellerNav />
      {open.isLoadingError && all.isLoadingError ? (
        // What is wrong with both is said once.
        <NotLoaded lists={[open, all]} />
      ) : (
        <>
          <OpenSubmissions list={open} onAnswer={(submission) => setAnswering({ submission, open: true })} />
          <AllSubmissions list={all} />
        </>
      )}
      {answering && (
        <AnswerDialog
          {...answering}
          current={answered}
          onClose={() => setAnswering({ ...answering, open: false })}
        />
      )}
    </div>
  )
}

/** A card for everything that isn't final. */
function OpenSubmissions({
  list,
  onAnswer,
}: {
  list: List<SellerSubmission>
  onAnswer: (submission: SellerSubmission) => void
}) {
  const open = rowsOf(list.data)
  if (list.isPending) return <SkeletonRows rows={2} label="Loading your submissions" />
  if (list.isError && open.length === 0) return <NotLoaded lists={[list]} />
  if (open.length === 0) {
    return (
      <EmptyState
        icon={<Hourglass aria-hidden="true" />}
        title="Nothing in progress"
        action={<ButtonLink to={paths.getQuote}>Get Quote Now</ButtonLink>}
      >
        Cards you submit appear here until they are paid.
      </EmptyState>
    )
  }
  return (
    <div className="grid grid-cols-1 gap-4">
      <ul className="grid grid-cols-1 items-start gap-4 md:grid-cols-2">
        {open.map((submission) => (
          <li key={submission.id}>
            <OpenSubmission submission={submission} onAnswer={() => onAnswer(submission)} />
          </li>
        ))}
      </ul>
      <LoadMore list={list} />
    </div>
  )
}
