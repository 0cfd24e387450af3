import type { ContactMessage } from '#contract/chat.ts'
import { MAX_MESSAGE_LENGTH, SUPPORT_NAME } from '#domain/chat.ts'
import { ApiError, messageOf } from '../../api/errors.ts'
import { Composer } from '../../chat/Composer.tsx'
import { MessageList } from '../../chat/MessageList.tsx'
import { shownMessages } from '../../chat/use-outbox.ts'
import { contactCopy } from '../../copy/contact.ts'
import { supportChat } from '../../copy/support.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Failure, Notice } from '../../ui/Notice.tsx'
import { Waiting } from '../../ui/Skeleton.tsx'
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
