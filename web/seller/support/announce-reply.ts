import type { LiveMessage } from '#contract/live.ts'
import { toast } from '../../ui/toast.ts'

/** Characters of a preview (spec section 9). */
const PREVIEW = 50

let open = false

/** Whether the chat is in sight, so that what arrives there needs no notice. */
export function setChatOpen(now: boolean): void {
  open = now
}

/** Says that support has written, unless one is looking at the chat. */
export function announceReply({ message }: Extract<LiveMessage, { type: 'NEW_CHAT_MESSAGE' }>): void {
  if (open) return
  toast({ title: 'New Chat Message', description: cut(message) })
}

function cut(message: string): string {
  const characters = Array.from(message)
  return characters.length <= PREVIEW ? message : `${characters.slice(0, PREVIEW).join('')}...`
}
