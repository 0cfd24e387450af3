const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

/** How long ago something was, in whole units of the largest one that fits: "12 seconds ago", "just now". */
export function ago(milliseconds: number): string {
  for (const [name, length] of units) {
    const count = Math.floor(milliseconds / length)
    if (count >= 1) return `${count} ${name}${count === 1 ? '' : 's'} ago`
  }
  return 'just now'
}
