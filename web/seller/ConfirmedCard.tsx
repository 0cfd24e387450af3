import { useInfiniteQuery } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { readPages, rowsOf } from '../api/read.ts'
import { useSession } from '../api/session.ts'
import { Money } from '../ui/Money.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'

/** What the card pays; nothing for whoever isn't signed in as its seller, as the address is anybody's to write. */
export function ConfirmedCard({ giftCardId }: { giftCardId: string }) {
  const { user } = useSession()
  const list = useInfiniteQuery({ ...readPages(routes.mySubmissions), enabled: user !== undefined })
  const card = rowsOf(list.data).find(({ id }) => id === giftCardId)
  if (list.isLoading) return <Skeleton className="h-28" />
  if (!card) return null
  return (
    <p className="grid gap-1">
      <span className="text-soft">You will receive</span>
      <Money amount={card.sellingPrice} size="figure" className="text-accent" />
      <span className="text-soft">
        {card.brandName} · Card value <Money amount={card.denomination} />
      </span>
    </p>
  )
}
