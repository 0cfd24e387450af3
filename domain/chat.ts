import { maskCardLike } from './card-number.ts'

/** Characters of one message, after trimming. */
export const MAX_MESSAGE_LENGTH = 4000

/** How long an administrator is shown as answering a thread after their browser last reported it. */
export const ANSWERING_SECONDS = 30

/**
 * The beginning of a message, for lists and pushes. Masks card numbers first, because the cut could hide that it is one.
 * @param characters maximum code points, including the ellipsis
 */
export function preview(message: string, characters: number): string {
  const masked = Array.from(maskCardLike(message))
  if (masked.length <= characters) return masked.join('')
  return `${masked.slice(0, characters - 1).join('')}…`
}
