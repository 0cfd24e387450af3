/** Lists count up to this, so that a total costs the same at any size. A total of one more means "more". */
export const MAX_COUNTED = 1000

/** A total as text, such as "75" or "1,000+". */
export function showCount(count: number, locale = 'en-US'): string {
  return `${Math.min(count, MAX_COUNTED).toLocaleString(locale)}${count > MAX_COUNTED ? '+' : ''}`
}
