import { paths } from '#web/words/paths.ts'

/** Where somebody wanted to go before they had to sign in; lives as long as the tab. */
const STORAGE_KEY = 'redirectAfterLogin'

export function keepReturnAddress(address: string): void {
  try {
    sessionStorage.setItem(STORAGE_KEY, address)
  } catch {
    // Without storage they land on the home page.
  }
}

/** The kept address; undefined when there is none or when it isn't of this site. */
export function peekReturnAddress(): string | undefined {
  try {
    const address = sessionStorage.getItem(STORAGE_KEY)
    return address === null ? undefined : sameSitePath(address, location.origin)
  } catch {
    return undefined
  }
}

/** The same, once: it is forgotten with the asking. */
export function takeReturnAddress(): string | undefined {
  const address = peekReturnAddress()
  try {
    sessionStorage.removeItem(STORAGE_KEY)
  } catch {
    // Nothing was kept then.
  }
  return address
}

/**
 * The path of an address if it leads to this site, else undefined. Asks the browser's own parser, because
 * `//elsewhere`, `/\elsewhere` and `java\tscript:` all look like paths to anything simpler.
 */
export function sameSitePath(address: string, origin: string): string | undefined {
  const url = URL.canParse(address, origin) ? new URL(address, origin) : undefined
  if (!url || url.origin !== origin) return undefined
  const path = url.pathname + url.search + url.hash
  return path.startsWith(paths.login) || path.startsWith(paths.register) ? undefined : path
}
