/** What takes long to make, made when it is first asked for: formats of the browser's `Intl` take milliseconds each. */
export function onFirstUse<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}
