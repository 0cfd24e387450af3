/** Runs at most once per interval: the first call at once, all others in the interval together at its end. */
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
