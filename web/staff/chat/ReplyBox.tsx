import { Send } from 'lucide-react'
import { type FormEvent, Suspense, useId, useRef } from 'react'
import { flushSync } from 'react-dom'
import type { ChatThread } from '#contract/staff-chat.ts'
import { MAX_MESSAGE_LENGTH } from '#domain/chat.ts'
import { enterSends } from '#web/chat/Composer.tsx'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { controlClass } from '#web/kit/Field.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { useReply } from './use-reply.ts'

// Writing needn't wait for them.
const SavedReplies = lazyComponent(() => import('./SavedReplies.tsx').then((module) => module.SavedReplies))

/** From here on the length is shown. */
const LONG = MAX_MESSAGE_LENGTH * 0.9

export function ReplyBox({ thread, autoFocus }: { thread: ChatThread; autoFocus: boolean }) {
  const { text, write, send, isPending, canSend, excess, length } = useReply(thread)
  const field = useRef<HTMLTextAreaElement>(null)
  const hint = useId()

  function submit(event: FormEvent) {
    event.preventDefault()
    send()
    field.current?.focus()
  }

  /** Puts a saved reply where the caret is, or in the place of what is selected. */
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
      <form onSubmit={submit} className="flex items-end gap-2">
        <textarea
          ref={field}
          aria-label="Reply"
          aria-describedby={hint}
          aria-invalid={excess > 0 || undefined}
          placeholder="Type your reply..."
          rows={2}
          dir="auto"
          value={text}
          readOnly={isPending}
          // biome-ignore lint/a11y/noAutofocus: only where somebody has just chosen a conversation to answer
          autoFocus={autoFocus}
          onChange={(event) => write(event.currentTarget.value)}
          onKeyDown={enterSends(send)}
          className={cx(
            controlClass,
            'field-sizing-content max-h-56 min-h-17 min-w-0 resize-none wrap-anywhere',
          )}
        />
        <Button
          type="submit"
          loading={isPending}
          disabled={!canSend}
          icon={<Send aria-hidden="true" className="size-4" />}
        >
          Send
        </Button>
      </form>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <p id={hint} className="text-soft text-xs">
          Press Enter to send, Shift+Enter for new line
        </p>
        {length > LONG && <Length excess={excess} length={length} />}
        <Suspense fallback={<span className="min-h-9" />}>
          <SavedReplies written={text} onPick={insert} />
        </Suspense>
      </div>
    </div>
  )
}

function Length({ excess, length }: { excess: number; length: number }) {
  const most = MAX_MESSAGE_LENGTH.toLocaleString('en-US')
  return (
    <p
      role="status"
      className={cx('figures text-xs', excess > 0 ? 'font-medium text-negative' : 'text-soft')}
    >
      {excess > 0
        ? `${excess.toLocaleString('en-US')} too many (at most ${most} characters)`
        : `${length.toLocaleString('en-US')} of ${most} characters`}
    </p>
  )
}
