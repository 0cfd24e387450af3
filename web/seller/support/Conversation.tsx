import { Clock, Headset } from 'lucide-react'
import type { ChatMessage } from '#contract/chat.ts'
import { MAX_MESSAGE_LENGTH, SUPPORT_NAME } from '#domain/chat.ts'
import { Failure } from '#web/kit/Notice.tsx'
import { Waiting } from '#web/kit/Skeleton.tsx'
import { messageOf } from '#web/wire/errors.ts'
import { support, supportChat } from '#web/words/support.ts'
import { Composer } from '../../chat/Composer.tsx'
import { MessageList } from '../../chat/MessageList.tsx'
import { shownMessages } from '../../chat/use-outbox.ts'
import { useSupportThread, type useSupportWriting } from './use-support-thread.ts'

const sides = {
  mine: ({ isUserMessage }: ChatMessage) => isUserMessage,
  name: ({ isAdminReply }: ChatMessage) => (isAdminReply ? SUPPORT_NAME : undefined),
}

interface ConversationProps {
  /** Whether replies are pushed. */
  connected: boolean
  writing: ReturnType<typeof useSupportWriting>
}

/** The seller's own thread with support. */
export function Conversation({ connected, writing }: ConversationProps) {
  const { draft, setDraft, outbox } = writing
  const thread = useSupportThread(connected)
  return (
    <>
      <Messages thread={thread} outbox={outbox} />
      <Composer
        label={supportChat.label}
        placeholder={supportChat.placeholder}
        hint={supportChat.hint}
        maxLength={MAX_MESSAGE_LENGTH}
        onSend={outbox.send}
        value={draft}
        onValue={setDraft}
        autoFocus
        className="border-line border-t p-4"
      />
    </>
  )
}

interface MessagesProps {
  thread: ReturnType<typeof useSupportThread>
  outbox: ConversationProps['writing']['outbox']
}

function Messages({ thread, outbox }: MessagesProps) {
  const { messages } = thread
  if (thread.pending) return <Waiting>Loading your messages...</Waiting>
  if (thread.error && !messages) {
    return (
      <div className="flex-1 p-4">
        <Failure
          message={messageOf(thread.error, 'Your messages could not be loaded.')}
          onRetry={() => void thread.refresh()}
        />
      </div>
    )
  }
  const shown = shownMessages(messages ?? [], outbox.outgoing, sides)
  return (
    <MessageList
      label="Messages with support"
      messages={shown}
      empty={<Welcome />}
      waiting={
        !messages?.some(({ isAdminReply }) => isAdminReply) &&
        shown.at(-1)?.state === 'stored' &&
        supportChat.waiting
      }
      onRetry={outbox.retry}
      showOlder={thread.showOlder}
      showingOlder={thread.showingOlder}
      olderFailed={thread.olderFailed}
      className="flex-1"
    />
  )
}

function Welcome() {
  return (
    <div className="grid justify-items-center gap-3">
      <Headset aria-hidden="true" className="size-8" />
      <p className="font-semibold text-ink text-lg">How can we help?</p>
      <p className="text-balance">A person answers, usually within {support.liveChat}.</p>
      <p className="flex items-center gap-2 text-sm">
        <Clock aria-hidden="true" className="size-4" />
        {support.hours}
      </p>
    </div>
  )
}
