const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

const long = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto' })

/** How long ago something was, in its largest whole unit: "12 seconds ago"; `short`: "12 s". */
export function ago(at: number, now: number, short = false): string {
  // The server's clock may be a little ahead of this one.
  const seconds = Math.max(0, Math.floor((now - at) / 1000))
  const [unit, size] = units.find(([, size]) => seconds >= size) ?? ['second', 1]
  const count = Math.floor(seconds / size)
  if (short) return unit === 'second' ? 'now' : `${count} ${unit === 'minute' ? 'min' : unit[0]}`
  return count === 0 ? 'just now' : long.format(-count, unit)
}
