/** What stands for what is not shown. */
export const MASK = '••••'

/**
 * The end of something secret that may be shown: its last four characters, and of what is shorter than eight only half
 * (rounded down), so that never most of it is shown.
 */
export function visibleEnd(text: string): string {
  const characters = [...text]
  const shown = Math.min(4, Math.floor(characters.length / 2))
  return characters.slice(characters.length - shown).join('')
}

/** `•••• 1234` */
export function masked(end: string): string {
  return end === '' ? MASK : `${MASK} ${end}`
}
