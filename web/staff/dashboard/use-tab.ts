import { useRef } from 'react'
import { useSearchParams } from '#web/kit/router/index.ts'

/** The tab that the address names, else the first; each tab finds its filters again as it was left. */
export function useTab(tabs: readonly string[]): [tab: string, select: (tab: string) => void] {
  const [address, setAddress] = useSearchParams()
  const left = useRef(new Map<string, URLSearchParams>())
  const named = address.get('tab') ?? ''
  const tab = tabs.includes(named) ? named : (tabs[0] ?? '')
  function select(next: string) {
    left.current.set(tab, address)
    setAddress(left.current.get(next) ?? { tab: next })
  }
  return [tab, select]
}
