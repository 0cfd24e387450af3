/** Calls `make` on first use and keeps the result. For the browser's `Intl` formats, which take milliseconds to create. */
export function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
