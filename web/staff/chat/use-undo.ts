import { useQueryClient } from '@tanstack/react-query'
import type { ChatThread } from '#contract/staff-chat.ts'
import { type ToastMessage, toast } from '#web/kit/toast.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { useAddress } from '../list/use-address.ts'
import { changeThread, refreshThreads } from '../shell/thread-queries.ts'

/** @returns adds a button to the toast about a change, which brings back the conversation as it is now, and opens it */
export function useUndo(thread: ChatThread): (message: ToastMessage, label?: string) => ToastMessage {
  const client = useQueryClient()
  const [, changeAddress] = useAddress()
  const { id, username, state, snoozedUntil } = thread
  async function undo() {
    await changeThread(thread, state === 'closed' ? { closed: true } : { closed: false, snoozedUntil })
    toast({ title: 'Change Undone', description: `The conversation with ${username} is ${state} again.` })
    changeAddress({ thread: id, user: undefined, about: undefined })
    await refreshThreads(client)
  }
  const onPress = () => void undo().catch(toastFailure('Undo Failed', 'The change could not be undone.'))
  return (message, label = 'Undo') => ({ ...message, action: { label, onPress } })
}
