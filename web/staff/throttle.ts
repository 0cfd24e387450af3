/**
 * Runs at most once per span of time: the first call at once, all others within the span together at its end.
 * A hundred moves a minute then cost each open screen a few requests and not a hundred.
 */
export function throttle(run: () => void, milliseconds: number): () => void {
  let waiting = false
  let wanted = false
  const start = () => {
    run()
    waiting = true
    setTimeout(() => {
      waiting = false
      if (!wanted) return
      wanted = false
      start()
    }, milliseconds)
  }
  return () => {
    if (waiting) wanted = true
    else start()
  }
}
