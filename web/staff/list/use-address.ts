import { useCallback } from 'react'
import { isStatus } from '#domain/submission.ts'
import { useSearchParams } from '#web/kit/router/index.ts'
import { MAX_SEARCH_LENGTH } from './SearchField.tsx'

/** New values of query parameters. Undefined or empty removes a parameter. */
type AddressChange = Readonly<Record<string, string | undefined>>

export function withChange(address: URLSearchParams, change: AddressChange): URLSearchParams {
  const next = new URLSearchParams(address)
  for (const [name, value] of Object.entries(change)) {
    if (value) next.set(name, value)
    else next.delete(name)
  }
  return next
}

/**
 * The query of the address and a function that changes parts of it. That function starts from the current address, not
 * the rendered one, which may be older. It replaces the history entry by default, so that Back leaves the list.
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

/** How to read each filter from its text in the address. An invalid text, as in a truncated link, filters nothing. */
type Parsers = Readonly<Record<string, (text: string) => string | undefined>>

export type FiltersOf<P extends Parsers> = { readonly [Name in keyof P]: ReturnType<P[Name]> }

export function readFilters<P extends Parsers>(address: URLSearchParams, parsers: P): FiltersOf<P> {
  const read = Object.entries(parsers).map(([name, parse]) => [name, parse((address.get(name) ?? '').trim())])
  return Object.fromEntries(read)
}

export const parseSearch = (text: string) => text.slice(0, MAX_SEARCH_LENGTH)
export const parseStatus = (text: string) => (isStatus(text) ? text : undefined)

/** The filters of a list, kept in the address so that people can share links. */
export function useFilters<P extends Parsers>(
  parsers: P,
): [FiltersOf<P>, (change: Partial<FiltersOf<P>>) => void] {
  const [address, change] = useAddress()
  return [readFilters(address, parsers), (changed) => change({ ...changed })]
}
