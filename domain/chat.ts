import { maskCardLike, maskNamedCodes } from './card-number.ts'

/** The state of a thread for staff. A customer's message opens it again. */
export const threadStates = ['open', 'snoozed', 'closed'] as const
export type ThreadState = (typeof threadStates)[number]

/**
 * Lists of threads: by state, `waiting`, which are open and wait for a reply, `unread` by any administrator, and `mine`, which are
 * open and assigned to you.
 */
export const threadLists = [...threadStates, 'waiting', 'unread', 'mine'] as const
export type ThreadListName = (typeof threadLists)[number]

/** The lists of what waits for staff. Screens show the customer who has waited longest first. */
export const waitingLists: readonly string[] = [
  'open',
  'waiting',
  'unread',
  'mine',
] satisfies ThreadListName[]

/** The lists that show a count. */
export const countedLists = [
  'open',
  'waiting',
  'unread',
  'mine',
  'snoozed',
] as const satisfies readonly ThreadListName[]

/** Characters of one message, after trimming. */
export const MAX_MESSAGE_LENGTH = 4000

/** How long an administrator is shown as answering a thread after their browser last reported it. */
export const ANSWERING_SECONDS = 30

/**
 * The beginning of a message, for lists and pushes. Masks card numbers and PINs first, because half of one would not be recognized.
 * @param characters maximum code points, including the ellipsis
 */
export function preview(message: string, characters: number): string {
  const masked = Array.from(maskNamedCodes(maskCardLike(message)))
  if (masked.length <= characters) return masked.join('')
  return `${masked.slice(0, characters - 1).join('')}…`
}
