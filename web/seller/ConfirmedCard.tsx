import { useInfiniteQuery } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { Money } from '#web/kit/Money.tsx'
import { Skeleton } from '#web/kit/Skeleton.tsx'
import { readPages, rowsOf } from '#web/wire/read.ts'
import { useSession } from '#web/wire/session.ts'

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
