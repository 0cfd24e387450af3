import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import type { ChatThread } from '#contract/staff-chat.ts'
import { ANSWERING_SECONDS, MAX_MESSAGE_LENGTH } from '#domain/chat.ts'
import { toast } from '#web/kit/toast.ts'
import { messageOf } from '#web/wire/errors.ts'
import { useStaff } from '../StaffArea.tsx'
import { useDraft } from './drafts.ts'
import { sayAnswering, sendReply } from './thread-calls.ts'
import { refreshLists, refreshMessages } from './thread-queries.ts'

const SAY_AGAIN_AFTER = (ANSWERING_SECONDS * 1000) / 2

/** The reply being written in a thread: its draft, and sending it once however often it takes. */
export function useReply(thread: ChatThread) {
  const client = useQueryClient()
  const { admin } = useStaff()
  const [{ text, clientId }, keepDraft] = useDraft(admin.id, thread.id)
  const sayWriting = useAnswering(thread)
  const mutationKey = ['reply', thread.id]
  // Asked for by name: whoever looked at another thread meanwhile finds the sending still under way.
  const isPending = useIsMutating({ mutationKey }) > 0
  const message = text.trim()
  /** Characters beyond what a message may have. */
  const excess = Math.max(0, message.length - MAX_MESSAGE_LENGTH)
  const canSend = message !== '' && excess === 0 && !isPending

  function write(next: string) {
    keepDraft(next)
    if (next.trim()) sayWriting()
  }

  const reply = useMutation({
    mutationKey,
    mutationFn: () => sendReply(thread, message, clientId),
    onSuccess: () => {
      toast({ title: 'Reply Sent', description: 'Your message has been sent successfully.' })
      keepDraft('')
      return Promise.all([refreshMessages(client, thread.id), refreshLists(client)])
    },
    onError: (error) =>
      toast({
        title: 'Error',
        description: messageOf(error, 'Failed to send reply'),
        variant: 'destructive',
      }),
  })

  function send() {
    if (canSend) reply.mutate()
  }
  return { text, write, send, isPending, canSend, excess, length: message.length }
}

/** Tells the other members of staff, now and then, that somebody is writing here; that it failed is no matter. */
function useAnswering(thread: ChatThread): () => void {
  const saidAt = useRef(0)
  const say = (answering: boolean) => void sayAnswering(thread, answering).catch(() => undefined)
  const stop = useEffectEvent(() => saidAt.current > 0 && say(false))
  useEffect(() => () => void stop(), [])
  return () => {
    if (Date.now() - saidAt.current < SAY_AGAIN_AFTER) return
    saidAt.current = Date.now()
    say(true)
  }
}
