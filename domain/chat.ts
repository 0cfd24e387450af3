import { maskCardLike } from './card-number.ts'

/** Characters of one message, after trimming. */
export const MAX_MESSAGE_LENGTH = 4000

/** How long an administrator is shown as answering a thread after their browser last reported it. */
export const ANSWERING_SECONDS = 30

/** The sender of every reply that customers see. They never see an administrator's username. */
export const SUPPORT_NAME = 'Support agent'

export interface ContactForm {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly subject: string
  readonly message: string
}

/** The first message of a contact thread: subject, sender and text. */
export function composeContactMessage({ firstName, lastName, email, subject, message }: ContactForm): string {
  const from = `${oneLine(`${firstName} ${lastName}`)} (${email})`
  return `Subject: ${oneLine(subject)}\nFrom: ${from}\n\n${message}`
}

/** Removes line breaks, with which a field could fake the other header lines. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ')
}

/**
 * The beginning of a message, for lists and pushes. Masks card numbers first, because the cut could hide that it is one.
 * @param characters maximum code points, including the ellipsis
 */
export function preview(message: string, characters: number): string {
  const masked = Array.from(maskCardLike(message))
  if (masked.length <= characters) return masked.join('')
  return `${masked.slice(0, characters - 1).join('')}…`
}
