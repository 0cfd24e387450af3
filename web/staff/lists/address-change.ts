import { useCallback } from 'react'
import { useSearchParams } from '#web/kit/router/index.ts'

/** What an address's query is to say now; what has no value leaves it. */
export type AddressChange = Readonly<Record<string, string | undefined>>

export function withChange(address: URLSearchParams, change: AddressChange): URLSearchParams {
  const next = new URLSearchParams(address)
  for (const [name, value] of Object.entries(change)) {
    if (value) next.set(name, value)
    else next.delete(name)
  }
  return next
}

/**
 * The query of the address, and a way to change a part of it. It is changed as it is and not as it was rendered, which
 * may be a step behind: a filter just chosen would be lost. Replaced unless told otherwise: Back leaves the list instead
 * of walking through a day's work.
 */
export function useAddress(): [
  URLSearchParams,
  (change: AddressChange, step?: { replace: boolean }) => void,
] {
  const [address, setAddress] = useSearchParams()
  const change = useCallback(
    (change: AddressChange, step = { replace: true }) =>
      setAddress(withChange(new URLSearchParams(location.search), change), step),
    [setAddress],
  )
  return [address, change]
}
