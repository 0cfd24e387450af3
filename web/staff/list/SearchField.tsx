import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from 'react'
import { controlClass } from '#web/kit/control-class.ts'
import { cx } from '#web/kit/cx.ts'
import { useLocation } from '#web/kit/router/index.ts'
import { KeyHint, useKeyShortcut } from '../shell/keys/KeyHint.tsx'
import { useKeys } from '../shell/keys/use-keys.ts'

interface SearchFieldProps {
  label: string
  placeholder: string
  value: string
  onChange: (value: string) => void
}

export function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
  const { text, setText, flush } = useDebouncedText(value, onChange)
  const input = useRef<HTMLInputElement>(null)
  useKeys({ search: () => input.current?.select() })

  function leave(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    // Escape would clear the field. Here it leaves the field, so that the shortcuts work again.
    event.preventDefault()
    event.currentTarget.blur()
  }

  return (
    <div className="relative w-full min-w-48 sm:w-auto sm:flex-1 min-[1100px]:max-w-xl">
      <Search className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-soft" />
      <input
        ref={input}
        type="search"
        aria-label={label}
        aria-keyshortcuts={useKeyShortcut('search')}
        placeholder={placeholder}
        maxLength={MAX_SEARCH_LENGTH}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={leave}
        onBlur={flush}
        spellCheck={false}
        autoComplete="off"
        className={cx(controlClass, 'pr-10 pl-9')}
      />
      {!text && (
        <KeyHint
          action="search"
          className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-soft"
        />
      )}
    </div>
  )
}

/** Maximum length of a search the server accepts, in characters. */
export const MAX_SEARCH_LENGTH = 200

/** Typed text takes effect after this pause. */
const PAUSE_MS = 300

interface DebouncedText {
  text: string
  setText: (text: string) => void
  /** Applies the text without waiting for the pause. */
  flush: () => void
}

/**
 * Text that takes effect when typing pauses. It is part of the address, so a link, Back or "Clear filters" can change it too.
 * @param value what the address says
 */
export function useDebouncedText(value: string, onChange: (value: string) => void): DebouncedText {
  const { key } = useLocation()
  const [text, setText] = useState(value)
  const [sent, setSent] = useState(value)
  const [seenKey, setSeenKey] = useState(key)
  // The address updates a moment later, and the person may have typed more by then. Our own text is ignored
  // when it comes back. A different text was set elsewhere and replaces what is typed.
  if (seenKey !== key) {
    setSeenKey(key)
    if (value !== sent) {
      setSent(value)
      setText(value)
    }
  }
  const flush = () => {
    if (text.trim() === sent) return
    setSent(text.trim())
    onChange(text.trim())
  }
  const flushLater = useEffectEvent(flush)
  useEffect(() => {
    const timer = setTimeout(() => flushLater(), PAUSE_MS)
    // Back leads somewhere else: typed text must not change the address there.
    const cancel = () => clearTimeout(timer)
    addEventListener('popstate', cancel)
    return () => {
      cancel()
      removeEventListener('popstate', cancel)
    }
  }, [text, key])
  return { text, setText, flush }
}
