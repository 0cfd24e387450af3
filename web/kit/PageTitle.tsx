import { createContext, use } from 'react'
import { productName } from '#web/words/site.ts'

/** How much is new, for all titles below it: somebody at work in another tab sees it there. */
export const TitleCount = createContext(0)

/** The browser tab's title. */
export function PageTitle({ children }: { children: string }) {
  const count = use(TitleCount)
  return <title>{`${count > 0 ? `(${count}) ` : ''}${children} · ${productName}`}</title>
}
