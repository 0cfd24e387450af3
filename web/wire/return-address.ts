import { createStoredText, writeStored } from '#web/kit/store.ts'
import { paths } from '#web/words/paths.ts'
import { splitLocale } from '#words/locales.ts'

const STORAGE_KEY = 'redirectAfterLogin'

/** The address to return to after sign-in. */
export const returnAddress = createStoredText('sessionStorage', STORAGE_KEY)

/** Returns the stored address and removes it. Undefined if there is none or it is not on this site. */
export function takeReturnAddress(): string | undefined {
  const address = returnAddress.get()
  // Does not call `returnAddress.set`, which would redraw the sign-in page on leaving it.
  writeStored('sessionStorage', STORAGE_KEY, null)
  return address === null ? undefined : sameSitePath(address, location.origin)
}

/**
 * The path of an address if it leads to this site, or undefined. Asks the browser's own parser, because `//elsewhere`,
 * `/\elsewhere` and `java\tscript:` all look like paths to anything simpler. A path such as `/.//elsewhere` would become
 * `//elsewhere`, which the browser then reads as another site.
 */
export function sameSitePath(address: string, origin: string): string | undefined {
  const url = URL.canParse(address, origin) ? new URL(address, origin) : undefined
  if (!url || url.origin !== origin || url.pathname.startsWith('//')) return undefined
  const path = url.pathname + url.search + url.hash
  const screen = splitLocale(path).path
  return screen.startsWith(paths.login) || screen.startsWith(paths.register) ? undefined : path
}
