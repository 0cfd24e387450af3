import { maskCardLike } from './card-number.ts'

/** Characters of one message, after trimming. */
export const MAX_MESSAGE_LENGTH = 4000

/** How long a member of staff is shown as answering a thread after they last said so. */
export const ANSWERING_SECONDS = 30

/** Who a reply is from, as customers are told; which member of staff it was is not their concern. */
export const SUPPORT_NAME = 'Support agent'

/** What the contact form holds. */
export interface ContactWords {
  readonly firstName: string
  readonly lastName: string
  readonly email: string
  readonly subject: string
  readonly message: string
}

/** The first message of a contact thread: subject, sender and what they wrote. */
export function composeContactMessage({
  firstName,
  lastName,
  email,
  subject,
  message,
}: ContactWords): string {
  const from = `${oneLine(`${firstName} ${lastName}`)} (${email})`
  return `Subject: ${oneLine(subject)}\nFrom: ${from}\n\n${message}`
}

/** A field can't make further lines of the head, and so pretend to be from somebody else. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ')
}

/**
 * The beginning of a message, for lists and pushes. What looks like a card number is masked before the cut, as
 * the cut could shorten one until it looks like none.
 * @param characters at most so many code points, the ellipsis among them
 */
export function preview(message: string, characters: number): string {
  const masked = Array.from(maskCardLike(message))
  if (masked.length <= characters) return masked.join('')
  return `${masked.slice(0, characters - 1).join('')}…`
}
