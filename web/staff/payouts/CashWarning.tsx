import { useQuery } from '@tanstack/react-query'
import type { PayoutCash } from '#contract/payouts.ts'
import { routes } from '#contract/routes.ts'
import { Money } from '#web/kit/Money.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { Time } from '#web/kit/Time.tsx'
import { read } from '#web/wire/read.ts'

/** Warns before the money at PayPal runs out. A balance that PayPal does not tell is shown beside what is due. */
export function CashWarning() {
  const { data: cash } = useQuery({ ...read(routes.payoutCash, {}), refetchInterval: 60_000 })
  if (cash?.problem !== 'short' && cash?.problem !== 'old') return null
  return (
    <div className="shrink-0 px-4 pt-4 lg:px-6">
      <Notice tone="caution" title={titles[cash.problem]}>
        <Explanation cash={cash} />
      </Notice>
    </div>
  )
}

const titles = {
  short: 'The PayPal account has less money than has to be sent',
  old: 'The balance at PayPal is old',
}

function Explanation({ cash: { problem, balance, balanceAt, toSend } }: { cash: PayoutCash }) {
  const counted = balanceAt && <Time at={balanceAt} as="dateTime" />
  if (problem === 'old')
    return <>PayPal last counted it {counted}. It may be too low for what has to be sent.</>
  return (
    <>
      The balance was <Money amount={balance ?? '0.00'} /> on {counted}. <Money amount={toSend} /> is ready or
      in batches. Add money to the PayPal account, or send less.
    </>
  )
}
