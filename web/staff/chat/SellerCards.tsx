import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { ChatCard } from '#contract/staff-chat.ts'
import { referenceOf } from '#domain/reference.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Link } from '#web/kit/router/index.ts'
import { Time } from '#web/kit/Time.tsx'
import { read } from '#web/wire/read.ts'
import { pathTo } from '#web/words/paths.ts'
import { StaffStatus } from '../facts/badges.tsx'
import { QueryStatus } from '../shell/QueryStatus.tsx'
import { RelativeTime } from '../shell/RelativeTime.tsx'

/** Cards shown at first, so that the notes below stay in reach. */
const SHOWN_FIRST = 5

/** The newest submissions of the seller in a conversation. */
export function SellerCards({ userId, email }: { userId: string; email: string }) {
  const query = useQuery(read(routes.chatCards, { query: { userId } }))
  const [allShown, showAll] = useState(false)
  const { data: cards = [] } = query
  const shown = allShown ? cards : cards.slice(0, SHOWN_FIRST)
  return (
    <section aria-label="Cards of this seller">
      <h3 className="flex min-h-12 items-center justify-between gap-3 px-4 text-base">
        Cards
        <TextLink to={pathTo('admin', { q: email })} className="text-sm">
          All submissions
        </TextLink>
      </h3>
      <div className="px-4 pb-3 empty:hidden">
        <QueryStatus query={query} noun="the cards" rows={3} />
        {query.isSuccess && cards.length === 0 && (
          <p className="text-soft text-sm">This seller has not submitted a card.</p>
        )}
      </div>
      <ul className="divide-y divide-line border-line border-t empty:hidden">
        {shown.map((card) => (
          <CardRow key={card.id} card={card} />
        ))}
      </ul>
      {shown.length < cards.length && (
        <div className="border-line border-t p-2">
          <Button variant="quiet" size="sm" wide onClick={() => showAll(true)}>
            Show {cards.length - shown.length} more
          </Button>
        </div>
      )}
    </section>
  )
}

function CardRow({ card }: { card: ChatCard }) {
  const { id, brandName, denomination, quote, createdAt, payout } = card
  return (
    <li>
      <Link
        to={pathTo('admin', { id })}
        className="grid gap-1 px-4 py-2.5 text-sm hover:bg-sunken focus-visible:-outline-offset-2"
      >
        <span className="flex items-baseline justify-between gap-3">
          <span className="min-w-0 truncate font-semibold">{brandName}</span>
          <span className="shrink-0">
            <Money amount={denomination} />{' '}
            <span className="text-soft text-xs">
              pays <Money amount={quote} />
            </span>
          </span>
        </span>
        <span className="flex items-center justify-between gap-3">
          <StaffStatus {...card} />
          <span className="text-soft text-xs">
            <span className="font-mono">{referenceOf(id)}</span> · <RelativeTime at={createdAt} short />
          </span>
        </span>
        {payout && <PayoutLine {...payout} />}
      </Link>
    </li>
  )
}

/** What the money of an approved card waits for, and by when it should arrive. */
function PayoutLine(payout: NonNullable<ChatCard['payout']>) {
  const { expectedOn } = payout
  return (
    <span className="text-soft text-xs">
      <PayoutState {...payout} />
      {expectedOn && (
        <>
          {' '}
          · expected by <Time at={expectedOn} as="weekday" />
        </>
      )}
    </span>
  )
}

function PayoutState({ state, waitsUntil, waitsForEmail, sentAt }: NonNullable<ChatCard['payout']>) {
  if (waitsForEmail) return 'Waits for a confirmed email address'
  if (waitsUntil) {
    return (
      <>
        New account: on hold until <Time at={waitsUntil} as="dateTime" />
      </>
    )
  }
  if (state === 'due') return 'Payout is due'
  if (state === 'batched') return 'Payout is in a batch'
  return <>Payout sent {sentAt && <Time at={sentAt} as="day" />}</>
}
