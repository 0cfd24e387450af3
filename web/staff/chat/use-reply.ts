import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ANSWERING_SECONDS, type ChatThread } from '#contract/chat.ts'
import { routes } from '#contract/routes.ts'
import { messageOf } from '../../api/errors.ts'
import { createKeyring } from '../../api/idempotency.ts'
import { refresh } from '../../api/read.ts'
import { toast } from '../../ui/toast.ts'
import { noticeSignedOut } from '../session.ts'
import { draftOf, keepDraft } from './drafts.ts'
import { sayAnswering, sendReply } from './thread-calls.ts'

const SAY_AGAIN_AFTER = (ANSWERING_SECONDS * 1000) / 2

/** The reply being written in a thread: its draft, and sending it once however often it takes. */
export function useReply(thread: ChatThread) {
  const client = useQueryClient()
  const [text, setText] = useState(() => draftOf(thread.id))
  const keyOf = useRef(createKeyring())
  const sayWriting = useAnswering(thread)

  function write(next: string) {
    setText(next)
    keepDraft(thread.id, next)
    if (next.trim()) sayWriting()
  }

  const reply = useMutation({
    mutationFn: (message: string) => sendReply(thread, message, keyOf.current({ message }, [])),
    onSuccess: () => {
      toast({ title: 'Reply Sent', description: 'Your message has been sent successfully.' })
      // The same words said again are another message.
      keyOf.current = createKeyring()
      write('')
      return refresh(client, routes.chatMessages, routes.chatThreads)
    },
    onError: (error) => {
      noticeSignedOut(client, error)
      toast({
        title: 'Error',
        description: messageOf(error, 'Failed to send reply'),
        variant: 'destructive',
      })
    },
  })

  function send() {
    const message = text.trim()
    if (message && !reply.isPending) reply.mutate(message)
  }
  return { text, write, send, isPending: reply.isPending }
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
