import { productName } from '../copy/site.ts'

/** The browser tab's title. */
export function PageTitle({ children }: { children: string }) {
  return <title>{`${children} · ${productName}`}</title>
}
