import type { LiveMessage } from '#contract/live.ts'
import { toast } from '#web/kit/toast.ts'
import { cutPreview } from '../../chat/cut-preview.ts'
import { playSound } from './sound.ts'

/** Says what has just arrived. */
export function announce(message: LiveMessage): void {
  if (message.type === 'NEW_SUBMISSION') {
    const { brandName, user } = message.submission
    toast({ title: 'New Submission', description: `${brandName} from ${user.username}` })
    playSound()
  }
  if (message.type === 'STATUS_UPDATE' && message.answer) {
    const { brandName, username } = message.answer
    toast({ title: 'Seller Answered', description: `${brandName} from ${username}` })
    playSound()
  }
  if (isForStaff(message)) {
    toast({ title: 'New Chat Message', description: `${message.username}: ${cutPreview(message.message)}` })
    playSound()
  }
}

type ChatPush = Extract<LiveMessage, { type: 'NEW_CHAT_MESSAGE' }>

/** A customer's message. Who is also signed in as a seller hears support's replies to them on the same channel. */
export function isForStaff(message: LiveMessage): message is ChatPush & { threadId: string } {
  return message.type === 'NEW_CHAT_MESSAGE' && message.threadId !== undefined
}
