import type { LiveMessage } from '#contract/live.ts'
import { toast } from '#web/kit/toast.ts'
import { cutPreview } from '../../chat/cut-preview.ts'

let open = false

/** Whether the chat is in sight, so that what arrives there needs no notice. */
export function setChatOpen(now: boolean): void {
  open = now
}

/** Says that support has written, unless one is looking at the chat. */
export function announceReply({ message }: Extract<LiveMessage, { type: 'NEW_CHAT_MESSAGE' }>): void {
  if (!open) toast({ title: 'New Chat Message', description: cutPreview(message) })
}
