import { SendHorizontal } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, type ReactNode, Suspense, useId, useRef, useState } from 'react'
import { looksLikeCardNumber } from '#domain/card-number.ts'
import { MAX_MESSAGE_LENGTH } from '#domain/chat.ts'
import { IconButton } from '#web/kit/Button.tsx'
import { controlClass } from '#web/kit/control-class.ts'
import { cx } from '#web/kit/cx.ts'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { useWords } from '#web/words/words.ts'
import { keepTyped, readTyped } from './typed-text.ts'

const CardNumberWarning = lazyComponent(() =>
  import('./CardNumberWarning.tsx').then((module) => module.CardNumberWarning),
)

interface ComposerProps {
  /** @returns false if the text was not sent and must stay */
  onSend: (text: string) => boolean
  /** Names the conversation. Unsent text is kept for the life of the tab. */
  keepAs: string
  autoFocus?: boolean
  photos?: ComposerPhotos
}

interface ComposerPhotos {
  /** Adds photos. */
  button: ReactNode
  /** Shows the added photos. */
  added: ReactNode
  /** A message with photos needs no text. */
  count: number
}

/** Where a customer writes to support: a text field that grows with its text. Enter sends, Shift+Enter starts a new line. */
export function Composer({ onSend, keepAs, autoFocus, photos }: ComposerProps) {
  const t = useWords()
  const id = useId()
  const [text, setText] = useState(() => readTyped(keepAs))
  const [doubted, setDoubted] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const blank = text.trim() === '' && !photos?.count

  function change(next: string) {
    setDoubted(false)
    setText(next)
    keepTyped(keepAs, next)
  }
  function send({ sure }: { sure: boolean }) {
    if (blank) return
    if (!sure && looksLikeCardNumber(text)) return setDoubted(true)
    if (!onSend(text)) return
    change('')
    field.current?.focus()
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    send({ sure: false })
  }

  return (
    <form onSubmit={submit} className="grid grid-cols-1 gap-2 border-line border-t p-4">
      {doubted && (
        <Suspense>
          <CardNumberWarning
            onEdit={() => {
              setDoubted(false)
              field.current?.focus()
            }}
            onSend={() => send({ sure: true })}
          />
        </Suspense>
      )}
      {photos?.added}
      <div className="flex items-end gap-2">
        {photos?.button}
        <textarea
          ref={field}
          rows={1}
          aria-label={t('chat.message')}
          aria-describedby={id}
          placeholder={t('chat.message.placeholder')}
          maxLength={MAX_MESSAGE_LENGTH}
          value={text}
          // biome-ignore lint/a11y/noAutofocus: only where the user has just asked to write
          autoFocus={autoFocus}
          enterKeyHint="send"
          onChange={(event) => change(event.currentTarget.value)}
          onKeyDown={enterSends(() => send({ sure: false }))}
          className={cx(controlClass, 'field-sizing-content max-h-40 resize-none')}
        />
        <IconButton
          type="submit"
          label={t('chat.send')}
          disabled={blank}
          className="bg-accent text-on-accent hover:bg-accent-strong disabled:bg-sunken disabled:hover:bg-sunken"
        >
          <SendHorizontal aria-hidden="true" className="size-5" />
        </IconButton>
      </div>
      <p id={id} className="hidden text-soft text-xs sm:pointer-fine:block">
        {t('chat.message.hint')}
      </p>
    </form>
  )
}

/** For a chat's text field: Enter sends, Shift+Enter starts a new line. */
export function enterSends(send: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    // While an input method is composing a Japanese or Chinese word, Enter accepts the word.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
}
