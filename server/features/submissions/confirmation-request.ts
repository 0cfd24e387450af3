import type { Context } from '#server/context.ts'
import { findConfirmationPath } from '#server/features/accounts/sellers/account.ts'
import type { Letter, LetterLink, Recipient } from '#server/platform/mail/letter.ts'

/** How a mail asks a seller to confirm the address it goes to. */
export interface ConfirmationRequest {
  /** Explains the button. Missing if the button confirms the address. */
  readonly text?: Letter['paragraphs'][number]
  readonly button: LetterLink
}

/** @param screen where the seller can ask for a new link, if no earlier one works */
export async function requestConfirmation(
  context: Context,
  sellerId: string,
  { email }: Recipient,
  screen: string,
): Promise<ConfirmationRequest> {
  const path = await findConfirmationPath(context, sellerId, email)
  return path
    ? { button: { label: 'mail.confirm.button', path } }
    : { text: 'mail.newLink.text', button: { label: 'mail.newLink.button', path: screen } }
}
