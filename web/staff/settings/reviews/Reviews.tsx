import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Check, EyeOff, Star } from 'lucide-react'
import { useState } from 'react'
import type { StaffReview } from '#contract/reviews.ts'
import { routes } from '#contract/routes.ts'
import { type ReviewState, reviewStates } from '#domain/review.ts'
import { ActionDialog } from '#web/forms/ActionForm.tsx'
import { Button } from '#web/kit/Button.tsx'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Link } from '#web/kit/router/index.ts'
import { Stars } from '#web/kit/Stars.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'
import { pathTo } from '#web/words/paths.ts'
import { type Column, focusedRow } from '../../list/DataTable.tsx'
import { FilterSelect } from '../../list/FilterSelect.tsx'
import { List } from '../../list/List.tsx'
import { useFilters } from '../../list/use-address.ts'
import { usePagedList } from '../../list/use-paged-list.ts'
import { KeysButton } from '../../shell/keys/KeyHint.tsx'
import { KeysDialog } from '../../shell/keys/KeysDialog.tsx'
import { useKeys } from '../../shell/keys/use-keys.ts'
import { When } from '../../shell/RelativeTime.tsx'
import { StaffScreen } from '../../shell/StaffScreen.tsx'

const stateWords: Readonly<Record<ReviewState, string>> = {
  waiting: 'Waiting',
  approved: 'Approved',
  hidden: 'Hidden',
}

const filters = { state: (text: string) => reviewStates.find((state) => state === text) }

/** Reviews that sellers wrote: staff decide which of them visitors may read. */
export default function Reviews() {
  const [{ state = 'waiting' }, change] = useFilters(filters)
  const list = usePagedList(routes.staffReviews, { state }, { staleTime: 0 })
  const [hiding, setHiding] = useState<StaffReview>()
  const [showsKeys, setShowsKeys] = useState(false)
  const approve = useApprove()

  const onFocused = (act: (review: StaffReview) => void) => () => {
    const review = focusedRow(list.rows)
    if (review) act(review)
  }
  useKeys({
    help: () => setShowsKeys(true),
    ...(state === 'waiting' && { reviewApprove: onFocused(({ id }) => approve.mutate(id)) }),
    ...(state !== 'hidden' && { reviewHide: onFocused(setHiding) }),
  })

  return (
    <StaffScreen
      isList
      title="Reviews"
      intro="The home page shows the three newest approved reviews of different sellers."
    >
      <List
        noun="review"
        list={list}
        focusKeys={{ next: 'reviewNext', previous: 'reviewPrevious' }}
        columns={[
          ...columns,
          {
            name: 'Decide',
            isFilled: () => state !== 'hidden',
            cell: (review) => (
              <div className="flex gap-2">
                {state === 'waiting' && (
                  <Button size="sm" icon={<Check />} onClick={() => approve.mutate(review.id)}>
                    Approve
                  </Button>
                )}
                <Button size="sm" variant="secondary" icon={<EyeOff />} onClick={() => setHiding(review)}>
                  Hide
                </Button>
              </div>
            ),
          },
        ]}
        filters={
          <>
            <FilterSelect
              name="State"
              all={stateWords.waiting}
              choices={reviewStates
                .filter((value) => value !== 'waiting')
                .map((value) => ({ value, label: stateWords[value] }))}
              value={state === 'waiting' ? undefined : state}
              onChange={(chosen) => change({ state: chosen })}
            />
            <KeysButton onClick={() => setShowsKeys(true)} />
          </>
        }
        empty={
          state === 'waiting' ? (
            <EmptyState icon={<Star />} title="No reviews are waiting">
              Sellers are asked for a review after their payout.
            </EmptyState>
          ) : (
            'Decide on the reviews that wait.'
          )
        }
      />
      <HideDialog review={hiding} onClose={() => setHiding(undefined)} />
      <KeysDialog of="Reviews" open={showsKeys} onOpenChange={setShowsKeys} />
    </StaffScreen>
  )
}

function useApprove() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(routes.decideReview, { params: { id }, body: { state: 'approved' } }),
    onSuccess: () => toast({ title: 'Review Approved' }),
    onError: toastFailure('Error', 'Failed to approve the review'),
    onSettled: () => refresh(client, routes.staffReviews),
  })
}

const columns: readonly Column<StaffReview>[] = [
  {
    name: 'Review',
    isTitle: true,
    cell: ({ rating, comment, firstName, locale, giftCardId, brandName }) => (
      <div className="grid min-w-52 max-w-2xl gap-1 py-1">
        <Stars rating={rating} label={`${rating} of 5 stars`} />
        <p dir="auto" lang={locale} className="wrap-anywhere whitespace-pre-line">
          {comment}
        </p>
        <p className="text-soft">
          Signed <bdi>{firstName}</bdi> · sold{' '}
          <Link
            to={pathTo('admin', { id: giftCardId })}
            className="underline decoration-1 underline-offset-4"
          >
            {brandName}
          </Link>
        </p>
      </div>
    ),
  },
  {
    name: 'Seller',
    cell: ({ sellerId, username }) => (
      <Link
        to={pathTo('adminSeller', { id: sellerId })}
        className="wrap-anywhere underline decoration-1 underline-offset-4"
      >
        <bdi>{username}</bdi>
      </Link>
    ),
  },
  { name: 'Written', cell: ({ createdAt }) => <When at={createdAt} as="day" /> },
]

function HideDialog({ review, onClose }: { review: StaffReview | undefined; onClose: () => void }) {
  return (
    <ActionDialog
      open={review !== undefined}
      onClose={onClose}
      title="Hide this review?"
      description="It stays hidden for good. Hide insults, advertising and personal data, but never a review because it has few stars."
      send={() => call(routes.decideReview, { params: { id: review?.id ?? '' }, body: { state: 'hidden' } })}
      done={() => ({ title: 'Review Hidden' })}
      refreshes={[routes.staffReviews]}
      failed="Failed to hide the review"
      submit="Hide"
      danger
      focusSubmit
    >
      <p dir="auto" className="wrap-anywhere whitespace-pre-line border-line border-l-2 pl-3">
        {review?.comment}
      </p>
    </ActionDialog>
  )
}
