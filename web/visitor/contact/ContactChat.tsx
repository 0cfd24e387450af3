import { type ReactNode, Suspense } from 'react'
import type { ContactMessage } from '#contract/chat.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type { LiveMessage } from '#contract/live.ts'
import { routes } from '#contract/routes.ts'
import { Composer } from '#web/chat/Composer.tsx'
import { MessageList } from '#web/chat/MessageList.tsx'
import { OpeningState, WaitingForReply } from '#web/chat/OpeningState.tsx'
import { useMessages } from '#web/chat/use-messages.ts'
import { shownMessages, useOutbox } from '#web/chat/use-outbox.ts'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { Navigate, useSearchParams } from '#web/kit/router/index.ts'
import { Waiting } from '#web/kit/Skeleton.tsx'
import { call } from '#web/wire/call.ts'
import { ApiError } from '#web/wire/errors.ts'
import { useAnswering, useLive } from '#web/wire/live.ts'
import { paths } from '#web/words/paths.ts'
import { shopBrand } from '#web/words/shop-brand.ts'
import { useWords } from '#web/words/words.ts'

const NotLoaded = lazyComponent(() => import('./NotLoaded.tsx').then((module) => module.NotLoaded))

/** A visitor's conversation with support. The key in the address, from the form or a mailed link, is all it takes. */
export default function ContactChat() {
  const t = useWords()
  const [address] = useSearchParams()
  const sessionId = address.get('session')
  if (!sessionId) return <Navigate to={paths.contact} replace />
  const title = t('contact.chat.title')
  return (
    <div className="measure grid grid-cols-1 gap-6 py-6 md:py-10">
      <PageTitle>{title}</PageTitle>
      <header className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h1 className="text-3xl">{title}</h1>
        <p className="text-soft text-sm">
          {t('contact.chat.session')} <span className="font-mono">{sessionId.slice(-8)}</span>
        </p>
      </header>
      <div className="grid grid-cols-1 items-start gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
        <ContactThread key={sessionId} sessionId={sessionId} />
        <ResponseTimes />
      </div>
    </div>
  )
}

function ResponseTimes() {
  const t = useWords()
  return (
    <div className="grid gap-4">
      <ul className="grid gap-3 sm:grid-cols-2 lg:grid-cols-1">
        <ResponseTime title={t('contact.chat.time')}>
          {t('contact.chat.timeText', { time: t('support.time.chat') })}
        </ResponseTime>
        <ResponseTime title={t('contact.chat.hours')}>
          {shopBrand.support.hours[t.locale]}
          <OpeningState />
        </ResponseTime>
      </ul>
      <p className="text-pretty text-soft text-sm">{t('contact.chat.keep')}</p>
    </div>
  )
}

function ResponseTime({ title, children }: { title: string; children: ReactNode }) {
  return (
    <li className="grid rounded-lg border border-line bg-surface p-4">
      <span className="text-soft text-sm">{title}</span>
      <span className="font-semibold">{children}</span>
    </li>
  )
}

function ContactThread({ sessionId }: { sessionId: string }) {
  const t = useWords()
  const { thread, outbox, isAnswering, hasMoved } = useContactThread(sessionId)
  const { messages, error } = thread
  const loading = <Waiting>{t('contact.chat.loading')}</Waiting>
  if (thread.pending) return loading
  if (!messages || hasMoved) {
    return (
      <Suspense fallback={loading}>
        <NotLoaded error={error} hasMoved={hasMoved} onRetry={() => void thread.refresh()} />
      </Suspense>
    )
  }
  const answered = messages.some(({ isUserMessage }) => !isUserMessage)
  return (
    <section
      aria-label={t('contact.chat.title')}
      className="flex h-[clamp(24rem,100dvh-15rem,40rem)] flex-col overflow-hidden rounded-lg border border-line bg-surface"
    >
      <MessageList
        label={t('support.messages')}
        messages={shownMessages(messages, outbox.outgoing, {
          mine: ({ isUserMessage }) => isUserMessage,
          name: ({ isUserMessage }) => (isUserMessage ? undefined : t('support.agent')),
        })}
        empty={t('support.waiting')}
        waiting={
          isAnswering
            ? t('support.answering')
            : !answered && <WaitingForReply received={t('support.waiting')} />
        }
        onRetry={outbox.retry}
        showOlder={thread.showOlder}
        showingOlder={thread.showingOlder}
        olderFailed={thread.olderFailed}
      />
      <Composer onSend={outbox.send} keepAs={sessionId} />
    </section>
  )
}

/** The mailed link of the conversation was opened, which ends the key from the form. */
const MOVED = 'continued_by_email' satisfies ErrorCode

/** The thread of a contact session, polled every five seconds and refreshed by pushes. */
function useContactThread(sessionId: string) {
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
  const refresh = () => void thread.refresh()
  const hasMoved = thread.error instanceof ApiError && thread.error.code === MOVED
  const [isAnswering, noteAnswering] = useAnswering()
  const onMessage = (message: LiveMessage) => {
    noteAnswering(message.type === 'ANSWERING' ? message.seconds : 0)
    refresh()
  }
  useLive({ sessionId, onMessage, onOpen: refresh }, thread.messages !== undefined && !hasMoved)
  const outbox = useOutbox({
    post: ({ message, clientId }) =>
      call(routes.sendContactMessage, { body: { sessionId, message, clientId } }),
    onSent: refresh,
    keepAs: sessionId,
  })
  return { thread, outbox, isAnswering, hasMoved }
}
