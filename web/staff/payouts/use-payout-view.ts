import { useCallback } from 'react'
import { paymentTypes } from '#domain/payment-methods.ts'
import { fileKinds, payoutStates } from '#domain/payout.ts'
import { type FiltersOf, parseSearch, readFilters, useAddress, withChange } from '../list/use-address.ts'

export const payoutViews = ['due', 'batches', 'returns', 'all'] as const
export type PayoutView = (typeof payoutViews)[number]

/** What the view of returns lists: the money is still owed. */
export const openReturns = { state: 'returned', replaced: 'false' } as const

const parsers = {
  view: (text: string) => payoutViews.find((view) => view === text),
  /** The id of a batch, whose page is shown. */
  batch: (text: string) => text || undefined,
  /** The worksheet of the batch is shown, one payout after the other. */
  worksheet: (text: string) => (text === 'on' ? ('on' as const) : undefined),
  /** The id of the open payout. */
  id: (text: string) => text || undefined,
  q: parseSearch,
  paymentType: (text: string) => paymentTypes.find((type) => type === text),
  /** Only batches that are not finished, oldest first. */
  unfinished: (text: string) => (text === 'on' ? ('on' as const) : undefined),
  /** Only due payouts in this kind of file that cannot be in a batch. */
  notReady: (text: string) => fileKinds.find((kind) => kind === text),
  state: (text: string) => payoutStates.find((state) => state === text),
}
type Parsed = FiltersOf<typeof parsers>

/** What the screen shows, kept in its address. Without a view: due payouts, or the batch. */
export function usePayoutView() {
  const [address, changeAddress] = useAddress()
  const shown = readFilters(address, parsers)
  /** The address of this view with some parts changed. */
  const linkTo = useCallback(
    (change: Partial<Parsed>) => `?${withChange(address, { ...closing(change) })}`,
    [address],
  )
  const change = useCallback(
    (change: Partial<Parsed>, step?: { replace: boolean }) => changeAddress({ ...closing(change) }, step),
    [changeAddress],
  )
  return { shown, view: shown.view ?? (shown.batch ? 'batches' : 'due'), linkTo, change }
}

/** Changing a filter closes the open payout, which may no longer match. */
function closing(change: Partial<Parsed>): Partial<Parsed> {
  return 'id' in change ? change : { ...change, id: undefined }
}
