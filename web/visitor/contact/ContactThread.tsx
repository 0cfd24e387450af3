import type { ContactMessage } from '#contract/chat.ts'
import { MAX_MESSAGE_LENGTH, SUPPORT_NAME } from '#domain/chat.ts'
import { Composer } from '#web/chat/Composer.tsx'
import { MessageList } from '#web/chat/MessageList.tsx'
import { shownMessages } from '#web/chat/use-outbox.ts'
import { ButtonLink } from '#web/kit/Button.tsx'
import { Failure, Notice } from '#web/kit/Notice.tsx'
import { Waiting } from '#web/kit/Skeleton.tsx'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { contactCopy } from '#web/words/contact.ts'
import { paths } from '#web/words/paths.ts'
import { supportChat } from '#web/words/support.ts'
import { useContactThread } from './use-contact-thread.ts'

const copy = contactCopy.chat

const sides = {
  mine: ({ isUserMessage }: ContactMessage) => isUserMessage,
  name: ({ isUserMessage }: ContactMessage) => (isUserMessage ? undefined : SUPPORT_NAME),
}

export function ContactThread({ sessionId }: { sessionId: string }) {
  const { thread, outbox } = useContactThread(sessionId)
  const { messages, error } = thread
  if (thread.pending) return <Waiting>{copy.loading}</Waiting>
  if (!messages) return <NotLoaded error={error} onRetry={() => void thread.refresh()} />
  const answered = messages.some(({ isUserMessage }) => !isUserMessage)
  return (
    <div className="grid grid-cols-1 gap-3">
      <section
        aria-label={copy.title}
        className="flex h-[min(40rem,75dvh)] flex-col overflow-hidden rounded-lg border border-line bg-surface"
      >
        <MessageList
          label="Messages with support"
          messages={shownMessages(messages, outbox.outgoing, sides)}
          empty={supportChat.waiting}
          waiting={!answered && supportChat.waiting}
          onRetry={outbox.retry}
          showOlder={thread.showOlder}
          showingOlder={thread.showingOlder}
          olderFailed={thread.olderFailed}
          className="flex-1"
        />
        <Composer
          label={supportChat.label}
          placeholder={supportChat.placeholder}
          hint={supportChat.hint}
          maxLength={MAX_MESSAGE_LENGTH}
          onSend={outbox.send}
          className="border-line border-t p-4"
        />
      </section>
      <p className="text-soft text-sm">{copy.keep}</p>
    </div>
  )
}

function NotLoaded({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const unknown = error instanceof ApiError && (error.status === 404 || error.status === 400)
  if (!unknown) return <Failure message={messageOf(error, copy.failedToLoad)} onRetry={onRetry} />
  return (
    <Notice
      tone="caution"
      title={copy.unknown.title}
      action={<ButtonLink to={paths.contact}>{copy.unknown.action}</ButtonLink>}
    >
      {copy.unknown.text}
    </Notice>
  )
}
