import { Dialog as Popup } from '@base-ui/react/dialog'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import type { AboutCard } from '#contract/chat.ts'
import { routes } from '#contract/routes.ts'
import { IconButton, TextLink } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Money } from '#web/kit/Money.tsx'
import { useMedia, WIDER_THAN_PHONE } from '#web/kit/media.ts'
import { Failure } from '#web/kit/Notice.tsx'
import type { Photos } from '#web/kit/photos/use-photos.ts'
import { Waiting } from '#web/kit/Skeleton.tsx'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { read, refresh } from '#web/wire/read.ts'
import { useSession } from '#web/wire/session.ts'
import { upload } from '#web/wire/upload.ts'
import { pathTo } from '#web/words/paths.ts'
import { shopBrand } from '#web/words/shop-brand.ts'
import { useWords } from '#web/words/words.ts'
import { AttachButton, Attached, formFields, takeFiles, useAttachments } from '../../chat/Attachments.tsx'
import { ChatPhotos } from '../../chat/ChatPhotos.tsx'
import { Composer } from '../../chat/Composer.tsx'
import { MessageList } from '../../chat/MessageList.tsx'
import { OpeningState, WaitingForReply } from '../../chat/OpeningState.tsx'
import { TalkArt } from '../../chat/TalkArt.tsx'
import { POLL_MESSAGES, useMessages } from '../../chat/use-messages.ts'
import { shownMessages, useOutbox } from '../../chat/use-outbox.ts'
import { useVisible } from '../../chat/use-visible.ts'
import { CardDigits } from '../card/CardLink.tsx'

/** Beside the page on wide screens, where the page stays usable; a sheet over it on phones. */
export function SupportPanel(props: SupportPanelProps) {
  const { open, onOpenChange, asked, onAsk, button, connected, isAnswering } = props
  const t = useWords()
  const writing = useSupportWriting()
  const wide = useMedia(WIDER_THAN_PHONE)
  const about = useAbout(asked, onAsk)
  return (
    <Popup.Root open={open} onOpenChange={onOpenChange} modal={!wide} disablePointerDismissal={wide}>
      <Popup.Portal>
        {!wide && <Popup.Backdrop className="fixed inset-0 z-40 bg-veil" />}
        <Popup.Popup
          finalFocus={button}
          data-floating="panel"
          className="fixed inset-x-0 bottom-0 z-40 flex h-[92dvh] flex-col overflow-hidden rounded-t-lg border-line bg-surface shadow-raised outline-none transition-all data-ending-style:translate-y-3 data-starting-style:translate-y-3 data-ending-style:opacity-0 data-starting-style:opacity-0 md:inset-x-auto md:right-4 md:bottom-6 md:h-[min(38rem,calc(100dvh-8rem))] md:w-96 md:rounded-lg md:border"
        >
          <header className="flex items-center justify-between gap-2 border-line border-b py-1.5 pr-1.5 pl-4">
            <div>
              <Popup.Title className="font-semibold text-lg">{t('site.supportChat')}</Popup.Title>
              <OpeningState />
            </div>
            <Popup.Close
              render={
                <IconButton label={t('site.dialog.close')}>
                  <X aria-hidden="true" className="size-5" />
                </IconButton>
              }
            />
          </header>
          {about.card && (
            <About
              card={about.card}
              onRemove={() => onAsk(null)}
              // The card's page is below the sheet.
              onFollow={() => wide || onOpenChange(false)}
            />
          )}
          <Conversation
            connected={connected}
            isAnswering={isAnswering}
            writing={writing}
            submissionId={about.submissionId}
            wide={wide}
          />
        </Popup.Popup>
      </Popup.Portal>
    </Popup.Root>
  )
}

/** The id of the card that the next message is about; null: none; undefined: the same as before. */
export type AskedCard = string | null | undefined

interface SupportPanelProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  asked: AskedCard
  onAsk: (card: AskedCard) => void
  /** Receives focus when the chat closes. */
  button: RefObject<HTMLButtonElement | null>
  connected: boolean
  /** Whether staff are writing a reply. */
  isAnswering: boolean
}

/** The card to show above the messages, and what the next message says about it. */
function useAbout(asked: AskedCard, onAsk: (card: AskedCard) => void) {
  const chat = useQuery(read(routes.myChat, {}))
  const found = useQuery({ ...read(routes.mySubmission, { params: { id: asked ?? '' } }), enabled: !!asked })
  const stored = chat.data?.about
  const isStored = stored !== undefined && asked === (stored?.id ?? null)
  useEffect(() => {
    if (isStored) onAsk(undefined)
  }, [isStored, onAsk])
  if (asked === undefined) return { card: stored, submissionId: undefined }
  if (asked === null) return { card: undefined, submissionId: null }
  return { card: found.data, submissionId: found.data?.id }
}

function About({ card, onRemove, onFollow }: AboutProps) {
  const t = useWords()
  return (
    <div className="flex items-center justify-between gap-2 border-line border-b bg-sunken pr-1.5 pl-4 text-sm">
      <p className="min-w-0 wrap-anywhere py-2">
        <span className="text-soft">{t('support.about')}</span>{' '}
        <TextLink to={pathTo('accountCard', { id: card.id })} onClick={onFollow}>
          {card.brandName} <Money amount={card.denomination} />
        </TextLink>{' '}
        <CardDigits number={card.cardNumber} />
      </p>
      <IconButton label={t('support.about.remove')} onClick={onRemove}>
        <X aria-hidden="true" className="size-4" />
      </IconButton>
    </div>
  )
}

interface AboutProps {
  card: AboutCard
  onRemove: () => void
  onFollow: () => void
}

interface ConversationProps extends Pick<SupportPanelProps, 'connected' | 'isAnswering'> {
  writing: ReturnType<typeof useSupportWriting>
  submissionId: string | null | undefined
  /** Otherwise, focusing the field would open a keyboard over the messages. */
  wide: boolean
}

function Conversation({ connected, isAnswering, writing, submissionId, wide }: ConversationProps) {
  const { keepAs, outbox, picked } = writing
  const thread = useSupportThread(connected)
  return (
    <>
      <Messages thread={thread} outbox={outbox} isAnswering={isAnswering} />
      <Composer
        onSend={(text) => !picked.preparing && outbox.send(text, { submissionId, ...withFiles(picked) })}
        keepAs={keepAs}
        autoFocus={wide}
        photos={{
          button: <AttachButton picked={picked} />,
          added: <Attached picked={picked} />,
          count: picked.photos.length,
        }}
      />
    </>
  )
}

function Messages({ thread, outbox, isAnswering }: MessagesProps) {
  const t = useWords()
  const { messages } = thread
  // Kept while the dialog closes.
  const [shown, setShown] = useState<{ image: string; open: boolean }>()
  if (thread.pending) return <Waiting>{t('support.loading')}</Waiting>
  if (thread.error && !messages) {
    return (
      <div className="flex-1 p-4">
        <Failure
          message={messageOf(thread.error, t('support.failed'))}
          onRetry={() => void thread.refresh()}
        />
      </div>
    )
  }
  const all = shownMessages(messages ?? [], outbox.outgoing, {
    mine: ({ isUserMessage }) => isUserMessage,
    name: ({ isAdminReply }) => (isAdminReply ? t('support.agent') : undefined),
  })
  return (
    <>
      <MessageList
        label={t('support.messages')}
        messages={all}
        empty={<Welcome />}
        waiting={
          isAnswering
            ? t('support.answering')
            : messages?.at(-1)?.isUserMessage &&
              all.at(-1)?.state === 'stored' && <WaitingForReply received={t('support.received')} />
        }
        onRetry={outbox.retry}
        renderPhotos={(message) => (
          <ChatPhotos
            message={message}
            missing={t('photos.gone')}
            thumbnailOf={(image) => `${image}?size=thumbnail`}
            onOpen={(image) => setShown({ image, open: true })}
          />
        )}
        showOlder={thread.showOlder}
        showingOlder={thread.showingOlder}
        olderFailed={thread.olderFailed}
      />
      {shown && (
        <Dialog
          wide
          open={shown.open}
          onOpenChange={(open) => setShown({ ...shown, open })}
          title={t('chat.photo')}
        >
          <img
            src={shown.image}
            alt={t('chat.photo')}
            className="max-h-[75dvh] w-full rounded-md object-contain"
          />
        </Dialog>
      )}
    </>
  )
}

interface MessagesProps {
  thread: ReturnType<typeof useSupportThread>
  outbox: ConversationProps['writing']['outbox']
  isAnswering: boolean
}

function Welcome() {
  const t = useWords()
  return (
    <div className="grid justify-items-center gap-1">
      <TalkArt />
      <p className="pt-4 font-semibold text-ink text-lg">{t('support.welcome.title')}</p>
      <OpeningState forReply />
      <p className="text-sm">{shopBrand.support.hours[t.locale]}</p>
    </div>
  )
}

function withFiles(picked: Photos): { files?: File[] } {
  return picked.photos.length > 0 ? { files: takeFiles(picked) } : {}
}

/** Replies are pushed, but a dead channel is not always noticed. */
const POLL_WHILE_LIVE_MS = 30_000

/** The messages between the seller and support. Visible replies are marked as read. */
function useSupportThread(connected: boolean) {
  const thread = useMessages({
    queryKey: [routes.myChatMessages.path],
    fetchMessages: ({ before, signal }) =>
      call(routes.myChatMessages, { ...(before && { query: { before } }), ...(signal && { signal }) }),
    every: connected ? POLL_WHILE_LIVE_MS : POLL_MESSAGES,
  })
  useReadMark(thread.messages?.findLast(({ isAdminReply, read }) => isAdminReply && !read)?.id)
  return thread
}

/** @param unread the newest reply that is not marked as read */
function useReadMark(unread: string | undefined): void {
  const client = useQueryClient()
  const isVisible = useVisible()
  useEffect(() => {
    if (!unread || !isVisible) return
    // If it fails, the next reply or the next opening marks it.
    call(routes.markMyChatRead, {})
      .then(() => refresh(client, routes.myUnread))
      .catch(() => undefined)
  }, [unread, isVisible, client])
}

/** The messages being sent, which survive closing the chat. */
function useSupportWriting() {
  const client = useQueryClient()
  const keepAs = useSession().user?.id ?? ''
  const outbox = useOutbox({
    post: ({ files, ...body }, onProgress) =>
      files
        ? upload(routes.sendChatMessage, { fields: formFields(body), files, onProgress })
        : call(routes.sendChatMessage, { body }),
    onSent: () => void refresh(client, routes.myChat, routes.myChatMessages),
    keepAs,
  })
  return { keepAs, outbox, picked: useAttachments() }
}
