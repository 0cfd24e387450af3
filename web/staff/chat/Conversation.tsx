import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ArrowLeft, Eye, EyeOff, IdCard } from 'lucide-react'
import { Suspense, useEffect, useEffectEvent, useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { ChatThread } from '#contract/staff-chat.ts'
import { MASK } from '#domain/card-number.ts'
import { may } from '#domain/roles.ts'
import { Button, IconButton, TextLink } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { DialogLoading, NotLoaded } from '#web/kit/Dialog.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { Money } from '#web/kit/Money.tsx'
import { Masked } from '#web/kit/masked.tsx'
import { useMedia } from '#web/kit/media.ts'
import { Link } from '#web/kit/router/index.ts'
import { Waiting } from '#web/kit/Skeleton.tsx'
import { Time } from '#web/kit/Time.tsx'
import { call } from '#web/wire/call.ts'
import { read } from '#web/wire/read.ts'
import { pathTo } from '#web/words/paths.ts'
import { ChatPhotos } from '../../chat/ChatPhotos.tsx'
import { MessageList } from '../../chat/MessageList.tsx'
import { useMessages } from '../../chat/use-messages.ts'
import { shownMessages } from '../../chat/use-outbox.ts'
import { useVisible } from '../../chat/use-visible.ts'
import { LanguageBadge, StaffStatus } from '../facts/badges.tsx'
import { viewAddress } from '../facts/photos/photo-address.ts'
import { useRevealed } from '../facts/use-reveal.ts'
import { QueryStatus } from '../shell/QueryStatus.tsx'
import {
  isBegun,
  markRead,
  messagesKey,
  readMessages,
  refreshThreads,
  type ThreadMessage,
} from '../shell/thread-queries.ts'
import { useStaff } from '../shell/use-staff.ts'
import { Customer } from './Customer.tsx'
import { ReplyBox } from './ReplyBox.tsx'
import { ThreadActions } from './ThreadActions.tsx'
import { WaitingTime } from './ThreadList.tsx'

const PhotoViewer = lazyComponent(
  () => import('../facts/photos/PhotoViewer.tsx').then((module) => module.PhotoViewer),
  { substitute: NotLoaded },
)

/** Polling interval while the live channel is down (spec section 9). */
const POLL_MESSAGES_MS = 2000

/** The list, the conversation and its customer beside each other. Otherwise a button shows the customer. */
const ROOM_FOR_CUSTOMER = '(min-width: 80rem)'

interface ConversationProps {
  thread: ChatThread
  /** The submission that the address asks to write about. */
  asked: string | undefined
  live: boolean
  /** Just chosen from the list: the reply box receives focus. */
  chosen: boolean
  onBack: () => void
  /** Called after it was closed or snoozed by its button. */
  onPutAway: () => void
  /** Called after a reply that closes it. */
  onClosed: () => void
}

export function Conversation({
  thread,
  asked,
  live,
  chosen,
  onBack,
  onPutAway,
  onClosed,
}: ConversationProps) {
  const about = useAbout(thread, asked)
  useReadMark(thread)
  const hasRoom = useMedia(ROOM_FOR_CUSTOMER)
  const [customerShown, showCustomer] = useState(false)
  return (
    <div
      className={cx(
        'grid min-h-0 min-w-0',
        hasRoom && 'grid-cols-[minmax(0,1fr)_18rem] min-[90rem]:grid-cols-[minmax(0,1fr)_20rem]',
      )}
    >
      <section
        aria-label={`Conversation with ${thread.username}`}
        className={cx('flex min-h-0 min-w-0 flex-col overflow-hidden', !hasRoom && customerShown && 'hidden')}
      >
        <header className="grid grid-cols-1 gap-2 border-line border-b px-4 py-2.5">
          <div className="flex items-center gap-2">
            <IconButton label="Back to the conversations" onClick={onBack} className="-ml-2 md:hidden">
              <ArrowLeft className="size-5" />
            </IconButton>
            <Heading thread={thread} />
            {!hasRoom && (
              <Button
                variant="quiet"
                size="sm"
                onClick={() => showCustomer(true)}
                icon={<IdCard />}
                className="-mr-2"
              >
                <span className="max-sm:sr-only">Details</span>
              </Button>
            )}
          </div>
          {about.card && <About card={about.card} />}
          {isBegun(thread) && <ThreadActions thread={thread} onLeave={onBack} onPutAway={onPutAway} />}
        </header>
        <Messages thread={thread} live={live} />
        <ReplyBox thread={thread} submissionId={about.next} autoFocus={chosen} onClosed={onClosed} />
      </section>
      {(hasRoom || customerShown) && (
        <Customer thread={thread} onClose={hasRoom ? undefined : () => showCustomer(false)} />
      )}
    </div>
  )
}

/** The card to show, and the submission that the next reply makes the conversation about. */
function useAbout({ userId, about }: ChatThread, asked: string | undefined) {
  const isNew = asked !== undefined && asked !== about?.id
  const found = useQuery({
    ...read(routes.staffSubmission, { params: { id: asked ?? '' } }),
    enabled: isNew,
  })
  const next = isNew && found.data?.sellerId === userId ? found.data : undefined
  return { card: next ?? about, next: next?.id }
}

function About({
  card: { id, brandName, denomination, cardNumber, status, needsAccount },
}: {
  card: NonNullable<ChatThread['about']>
}) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-sm">
      <span className="text-soft">About:</span>
      <TextLink to={pathTo('admin', { id })}>
        {brandName} <Money amount={denomination} />
      </TextLink>
      {cardNumber !== MASK && (
        <span className="figures text-soft">
          <Masked text={cardNumber} />
        </span>
      )}
      <StaffStatus {...{ status, needsAccount }} />
    </p>
  )
}

function Heading({ thread }: { thread: ChatThread }) {
  const { userId, username, userEmail, locale, subject, waitingSince } = thread
  return (
    <div className="min-w-0 flex-1">
      <div className="flex flex-wrap items-center gap-x-2">
        <h2 dir="auto" className="max-w-full truncate text-left text-lg">
          {userId ? (
            <Link to={pathTo('adminSeller', { id: userId })} className="underline-offset-4 hover:underline">
              {username}
            </Link>
          ) : (
            username
          )}
        </h2>
        {!userId && <VisitorBadge />}
        <LanguageBadge locale={locale} />
        {waitingSince && <WaitingTime since={waitingSince} />}
        <State thread={thread} />
      </div>
      <div className="flex gap-x-3 text-sm max-sm:flex-col">
        <p className="min-w-0 truncate text-soft">{userEmail}</p>
        {subject && (
          <p className="min-w-0 flex-1 truncate" title={subject}>
            <span className="text-soft">Subject:</span> <bdi>{subject}</bdi>
          </p>
        )}
      </div>
    </div>
  )
}

/** Someone who wrote through the contact form, without an account. */
function VisitorBadge() {
  return (
    <span className="shrink-0 rounded-chip bg-neutral-quiet px-2 py-0.5 font-semibold text-neutral text-xs">
      Visitor
    </span>
  )
}

/** Whether it is closed or snoozed, and who looks after it. */
function State({ thread: { state, snoozedUntil, assignedTo } }: { thread: ChatThread }) {
  const { admin } = useStaff()
  return (
    <p role="status" className="ml-auto flex flex-wrap gap-x-3 text-soft text-sm empty:hidden max-md:ml-0">
      {state === 'closed' && <span>Closed</span>}
      {snoozedUntil && (
        <span>
          Snoozed until <Time at={snoozedUntil} as="dateTime24" />
        </span>
      )}
      {assignedTo && <span>Assigned to {assignedTo.id === admin.id ? 'you' : assignedTo.username}</span>}
    </p>
  )
}

function Messages({ thread, live }: { thread: ChatThread; live: boolean }) {
  const { admin } = useStaff()
  const [opened, setOpened] = useState<{ photos: readonly string[]; image: string }>()
  /** Whole texts by message id, while they show. Never stored: leaving the conversation masks them again. */
  const [revealed, setRevealed] = useState<Readonly<Record<string, string | undefined>>>({})
  const { messages, pending, error, refresh, ...older } = useMessages<ThreadMessage>({
    queryKey: messagesKey(thread.id),
    fetchMessages: (page) => readMessages(thread, page),
    every: live ? false : POLL_MESSAGES_MS,
  })
  if (!messages) {
    const query = { isPending: pending, isError: !pending, error, refetch: refresh }
    const loading = <Waiting>Loading the messages...</Waiting>
    return (
      <div className="grid flex-1 content-center p-4">
        <QueryStatus query={query} noun="the messages" loading={loading} />
      </div>
    )
  }
  const lastSeen = messages.findLast(({ isAdminReply, read }) => isAdminReply && read)?.id
  const readable = messages.map((one) => ({ ...one, message: revealed[one.id] ?? one.message }))
  const shown = shownMessages(readable, [], {
    mine: ({ isAdminReply }) => isAdminReply,
    seen: ({ id }) => id === lastSeen,
    name: ({ isAdminReply, adminUsername, username }) =>
      isAdminReply ? (adminUsername ?? 'Support agent') : (username ?? thread.username),
  })
  const mayReveal = may(admin.role, 'reveal_cards')
  const masked = new Set(messages.filter(({ isMasked }) => isMasked).map(({ id }) => id))
  return (
    <>
      <MessageList
        label="Messages"
        messages={shown}
        empty="No messages in this conversation"
        renderPhotos={(message) => (
          <ChatPhotos
            message={message}
            missing={mayReveal ? 'Photo (deleted)' : 'Photo (hidden from your role)'}
            thumbnailOf={(image) => viewAddress(image, 'thumbnail')}
            onOpen={(image) => setOpened({ photos: message.images ?? [], image })}
          />
        )}
        renderAction={({ id }) =>
          mayReveal &&
          id &&
          masked.has(id) && (
            <ShowNumberButton
              messageId={id}
              onChange={(text) => setRevealed((texts) => ({ ...texts, [id]: text }))}
            />
          )
        }
        {...older}
      />
      {opened && (
        <Suspense fallback={<DialogLoading onCancel={() => setOpened(undefined)} />}>
          <PhotoViewer
            photos={opened.photos}
            start={opened.photos.indexOf(opened.image)}
            onClose={() => setOpened(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}

/** Shows the text of a message in which a number is masked, for as long as numbers show on the desk. The audit log records it. */
function ShowNumberButton({ messageId, onChange }: ShowNumberButtonProps) {
  const { values, toggle, isPending } = useRevealed(() =>
    call(routes.revealMessage, { params: { id: messageId } }),
  )
  const text = values?.message
  const report = useEffectEvent(onChange)
  useEffect(() => report(text), [text])
  const Icon = values ? EyeOff : Eye
  return (
    <Button variant="quiet" size="sm" loading={isPending} onClick={toggle} icon={<Icon />}>
      {values ? 'Hide number' : 'Show number'}
    </Button>
  )
}

interface ShowNumberButtonProps {
  messageId: string
  /** Undefined once it is hidden again. */
  onChange: (text: string | undefined) => void
}

/** Marks messages as read while the conversation is visible. */
function useReadMark(thread: ChatThread): void {
  const client = useQueryClient()
  const unread = useVisible() ? thread.unreadCount : 0
  const mark = useEffectEvent(() => {
    // If it fails, the next message or the next visit marks them.
    markRead(thread).then(
      () => refreshThreads(client),
      () => undefined,
    )
  })
  useEffect(() => {
    if (unread > 0) mark()
  }, [unread])
}
