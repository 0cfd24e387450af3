import { useQuery } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { Time } from '#web/kit/Time.tsx'
import { read } from '#web/wire/read.ts'
import { useSession } from '#web/wire/session.ts'
import { Rich } from '#web/words/Rich.tsx'

/** By when the money should arrive if the card is submitted now. Nothing where that cannot be said. */
export function ExpectedDay({ type }: { type: string }) {
  const { user } = useSession()
  const days = useQuery(read(routes.expectedPayoutDays, {}))
  const day = days.data?.find(({ paymentType }) => paymentType === type)
  if (!day || user?.mustConfirmEmail) return null
  return (
    <p className="text-soft text-sm">
      <Rich id="payoutStatus.expected" tags={{ date: () => <Time at={day.expectedOn} as="weekday" /> }} />
    </p>
  )
}
