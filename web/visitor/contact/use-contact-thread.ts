import type { ContactMessage } from '#contract/chat.ts'
import { routes } from '#contract/routes.ts'
import { useMessages } from '#web/chat/use-messages.ts'
import { useOutbox } from '#web/chat/use-outbox.ts'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { useLive } from '#web/wire/live.ts'
import { supportChat } from '#web/words/support.ts'

/** The thread of a contact session: looked at every five seconds, and at once when something is pushed. */
export function useContactThread(sessionId: string) {
  const thread = useMessages<ContactMessage>({
    queryKey: [routes.contactMessages.path, sessionId],
    fetchMessages: ({ signal, before }) =>
      call(routes.contactMessages, {
        query: {
          sessionId,
          ...(before && { before }),
          ...(document.visibilityState === 'hidden' && { peek: 'true' }),
        },
        ...(signal && { signal }),
      }),
  })
  const look = () => void thread.refresh()
  useLive({ sessionId, onMessage: look, onOpen: look }, thread.messages !== undefined)
  const outbox = useOutbox({
    post: ({ message, clientId }) =>
      call(routes.sendContactMessage, { body: { sessionId, message, clientId } }),
    onSent: look,
    onFailed: () => toast({ ...supportChat.failed, variant: 'destructive' }),
  })
  return { thread, outbox }
}
