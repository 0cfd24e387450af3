import { createContext, use } from 'react'
import { shopBrand } from '#web/words/shop-brand.ts'

/** The number of unread items, shown in the tab's title. */
export const TitleCount = createContext(0)

/** The browser tab's title. */
export function PageTitle({ children }: { children: string }) {
  const count = use(TitleCount)
  return <title>{`${count > 0 ? `(${count}) ` : ''}${children} · ${shopBrand.name}`}</title>
}
