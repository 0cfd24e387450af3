import { useIsMutating, useMutation, useQueryClient } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import {
  type FormEvent,
  type KeyboardEvent,
  Suspense,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import type { ChatThread } from '#contract/staff-chat.ts'
import { ANSWERING_SECONDS, MAX_MESSAGE_LENGTH } from '#domain/chat.ts'
import { AttachButton, Attached, takeFiles, useAttachments } from '#web/chat/Attachments.tsx'
import { enterSends } from '#web/chat/Composer.tsx'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { Progress } from '#web/kit/Progress.tsx'
import { usePaste } from '#web/kit/photos/drop-and-paste.ts'
import type { Photos } from '#web/kit/photos/use-photos.ts'
import { toast } from '#web/kit/toast.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { randomUuid } from '#web/wire/random-uuid.ts'
import { languages } from '../facts/badges.tsx'
import { useAddress } from '../list/use-address.ts'
import { useDraft } from '../shell/drafts.ts'
import { useKeyShortcut } from '../shell/keys/KeyHint.tsx'
import { useKeys } from '../shell/keys/use-keys.ts'
import {
  changeThread,
  refreshMessages,
  refreshThreads,
  reportAnswering,
  sendReply,
  showReply,
} from '../shell/thread-queries.ts'
import { useStaff } from '../shell/use-staff.ts'
import { useUndo } from './use-undo.ts'

const SavedReplies = lazyComponent(() => import('./SavedReplies.tsx').then((module) => module.SavedReplies))

/** Shows the length from here on. */
const NEARLY_FULL = MAX_MESSAGE_LENGTH * 0.9

export function ReplyBox({ thread, submissionId, autoFocus, onClosed }: ReplyBoxProps) {
  const picked = useAttachments()
  const { text, write, send, isPending, canSend, excess, length, share } = useReply(
    thread,
    submissionId,
    picked,
    onClosed,
  )
  usePaste((files) => thread.userId && !isPending && void picked.add(files))
  const field = useRef<HTMLTextAreaElement>(null)
  const [form, hint, language] = [useId(), useId(), useId()]
  const sendOnEnter = enterSends(() => send())
  const [choosing, setChoosing] = useState(false)
  const openedFrom = useRef<HTMLElement>(null)
  useKeys({ chatReply: () => field.current?.focus(), chatSaved: () => choose(true) })

  function press(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.key === 'Escape') return event.currentTarget.blur()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.nativeEvent.isComposing) {
      event.preventDefault()
      // If nobody else is waiting, the keys work again.
      if (canSend) event.currentTarget.blur()
      return send({ closes: true })
    }
    if (event.key !== '/' || text !== '') return sendOnEnter(event)
    event.preventDefault()
    choose(true)
  }

  function choose(open: boolean) {
    const focused = document.activeElement
    if (open)
      openedFrom.current = focused instanceof HTMLElement && focused !== document.body ? focused : null
    setChoosing(open)
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    send()
    field.current?.focus()
  }

  /** Inserts a saved reply at the caret, or replaces the selection. */
  function insert(saved: string) {
    const { selectionStart: start = text.length, selectionEnd: end = start } = field.current ?? {}
    flushSync(() => write(text.slice(0, start) + saved + text.slice(end)))
    field.current?.focus()
    field.current?.setSelectionRange(start + saved.length, start + saved.length)
  }

  return (
    <div className="grid grid-cols-1 gap-2 border-line border-t p-3">
      <p role="status" className="text-accent text-sm empty:hidden">
        {thread.answeringBy && `${thread.answeringBy} is answering`}
      </p>
      {thread.locale !== 'en' && (
        <p id={language} className="text-soft text-sm">
          <span className="font-semibold text-ink">
            {thread.username} reads {languages[thread.locale]}.
          </span>{' '}
          Write in {languages[thread.locale]}, or insert a saved reply with a {languages[thread.locale]} text.
        </p>
      )}
      <div className="grid grid-cols-1 rounded-md border border-control outline-accent outline-offset-2 has-[textarea:focus-visible]:outline-2 has-aria-invalid:border-negative">
        {/* The saved replies are outside: in React, submitting their form would submit this one too. */}
        <form id={form} onSubmit={submit} className="grid grid-cols-1">
          <textarea
            ref={field}
            aria-label="Reply"
            aria-keyshortcuts={useKeyShortcut('chatReply')}
            aria-describedby={`${language} ${hint}`}
            aria-invalid={excess > 0 || undefined}
            placeholder="Type your reply..."
            rows={2}
            enterKeyHint="send"
            dir="auto"
            value={text}
            readOnly={isPending}
            // biome-ignore lint/a11y/noAutofocus: only after the user chose this conversation
            autoFocus={autoFocus}
            onChange={(event) => write(event.currentTarget.value)}
            onKeyDown={press}
            className="field-sizing-content max-h-56 min-h-15 w-full resize-none bg-transparent px-3 pt-2 outline-none wrap-anywhere placeholder:text-soft"
          />
        </form>
        <div className="px-3 empty:hidden">
          <Attached picked={picked} />
          {share !== undefined && <Progress share={share} label="Sending the photos" />}
        </div>
        <div className="flex flex-wrap items-center justify-between gap-2 p-1.5">
          <div className="flex items-center">
            {thread.userId && <AttachButton picked={picked} disabled={isPending} />}
            <Suspense fallback={<span className="min-h-9" />}>
              <SavedReplies
                locale={thread.locale}
                written={text}
                open={choosing}
                onOpenChange={choose}
                onPick={insert}
                // Opened by its key, it leaves the focus on the page, so that the next key is not typed into the reply.
                onCancel={() => openedFrom.current?.focus()}
              />
            </Suspense>
          </div>
          {length > NEARLY_FULL && <Length excess={excess} length={length} />}
          <Button type="submit" form={form} size="sm" loading={isPending} disabled={!canSend} icon={<Send />}>
            Send
          </Button>
        </div>
      </div>
      <p id={hint} className="px-1 text-soft text-xs pointer-coarse:hidden">
        <span>Press Enter to send, Shift+Enter for new line</span>
        <span className="max-sm:hidden"> · Ctrl+Enter sends and closes · / lists saved replies</span>
      </p>
    </div>
  )
}

interface ReplyBoxProps {
  thread: ChatThread
  /** The submission that the conversation is about from the next reply on. */
  submissionId: string | undefined
  autoFocus: boolean
  /** Called after a reply that closes the conversation, unless another one has opened. */
  onClosed: () => void
}

function Length({ excess, length }: { excess: number; length: number }) {
  const limit = MAX_MESSAGE_LENGTH.toLocaleString('en-US')
  return (
    <p
      role="status"
      className={cx('figures text-xs', excess > 0 ? 'font-medium text-negative' : 'text-soft')}
    >
      {excess > 0
        ? `${excess.toLocaleString('en-US')} over the limit of ${limit} characters`
        : `${length.toLocaleString('en-US')} of ${limit} characters`}
    </p>
  )
}

interface SendOptions {
  /** Closes the conversation after the reply. */
  closes?: boolean
}

const SENT = 'Your message has been sent successfully.'

/** Renews the mark in time, even if one call is late. */
const RENEW_AFTER_MS = (ANSWERING_SECONDS * 1000) / 2

/** The reply being written in a thread: its draft, and sending it exactly once despite retries. */
function useReply(
  thread: ChatThread,
  submissionId: string | undefined,
  picked: Photos,
  onClosed: () => void,
) {
  const client = useQueryClient()
  const { admin } = useStaff()
  const [{ text, clientId }, keepDraft] = useDraft(admin.id, thread.id)
  const sayWriting = useAnswering(thread)
  const [, changeAddress] = useAddress()
  const withUndo = useUndo(thread)
  const mutationKey = ['reply', thread.id]
  // By key, so that a reply still counts as being sent after the user opened another thread and came back.
  const isPending = useIsMutating({ mutationKey }) > 0
  const message = text.trim()
  /** Characters over the limit. */
  const excess = Math.max(0, message.length - MAX_MESSAGE_LENGTH)
  const files = picked.photos.map(({ file }) => file)
  const [share, onProgress] = useState<number>()
  /** A draft without text has no id. */
  const [idWithoutText, setIdWithoutText] = useState(randomUuid)
  const canSend = (message !== '' || files.length > 0) && excess === 0 && !isPending && !picked.preparing

  function write(next: string) {
    keepDraft(next)
    sayWriting(next.trim() !== '')
  }

  const reply = useMutation({
    mutationKey,
    mutationFn: (_: SendOptions) =>
      sendReply(thread, {
        message,
        clientId: clientId || idWithoutText,
        submissionId,
        photos: { files, onProgress },
      }),
    onSuccess: (sent, options) => {
      if (!options.closes) toast({ title: 'Reply Sent', description: SENT })
      showReply(client, thread.id, sent)
      keepDraft('')
      takeFiles(picked)
      setIdWithoutText(randomUuid)
      // Does not wait, so that the next reply can be written at once.
      void refreshMessages(client, thread.id)
      void afterReply(options)
    },
    onError: toastFailure('Error', 'Failed to send reply'),
    onSettled: () => onProgress(undefined),
  })

  /** The first person to answer takes an unassigned conversation. */
  async function afterReply({ closes }: SendOptions) {
    const change = {
      ...(closes && { closed: true }),
      ...(!thread.assignedTo && { assignedTo: 'me' as const }),
    }
    if (closes || !thread.assignedTo) {
      const sent = {
        title: 'Reply Sent',
        description: `${SENT} The conversation with ${thread.username} is closed.`,
      }
      await changeThread(thread, change).then(
        () => closes && toast(thread.state === 'closed' ? sent : withUndo(sent, 'Reopen')),
        toastFailure('Error', 'Failed to change the conversation'),
      )
    }
    await refreshThreads(client)
    if (!closes) changeAddress({ about: undefined })
  }

  function send(options: SendOptions = {}) {
    if (canSend) reply.mutate(options, { onSuccess: () => options.closes && onClosed() })
  }
  return { text, write, send, isPending, canSend, excess, length: message.length, share }
}

/** Shows colleagues that someone is answering this thread. Failures are ignored. */
function useAnswering(thread: ChatThread): (answering: boolean) => void {
  const saidAt = useRef(0)
  const say = (answering: boolean) => void reportAnswering(thread, answering).catch(() => undefined)
  const stop = useEffectEvent(() => saidAt.current > 0 && say(false))
  useEffect(() => () => void stop(), [])
  return (answering) => {
    const isKnown = answering ? Date.now() - saidAt.current < RENEW_AFTER_MS : saidAt.current === 0
    if (isKnown) return
    saidAt.current = answering ? Date.now() : 0
    say(answering)
  }
}
