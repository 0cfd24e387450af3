import { Search } from 'lucide-react'
import { type KeyboardEvent, useRef } from 'react'
import { cx } from '#web/kit/cx.ts'
import { controlClass } from '#web/kit/Field.tsx'
import { KeyHint, useKeyShortcut } from '../keys/KeyHint.tsx'
import { useKeys } from '../keys/use-keys.ts'
import { LONGEST_SEARCH } from './longest-search.ts'
import { useSettledText } from './use-settled-text.ts'

interface SearchFieldProps {
  label: string
  placeholder: string
  value: string
  onChange: (value: string) => void
}

/** Searches once the typing pauses. The address may change it too: a link, or Back. */
export function SearchField({ label, placeholder, value, onChange }: SearchFieldProps) {
  const { text, setText, settle } = useSettledText(value, onChange)
  const input = useRef<HTMLInputElement>(null)
  useKeys({ search: () => input.current?.select() })

  function leave(event: KeyboardEvent<HTMLInputElement>) {
    if (event.key !== 'Enter' && event.key !== 'Escape') return
    // The browser's own Escape would empty the field; here it leads back to the keys.
    event.preventDefault()
    event.currentTarget.blur()
  }

  return (
    <div className="relative w-full min-w-48 sm:w-auto sm:flex-1 min-[1100px]:max-w-xl">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-soft"
      />
      <input
        ref={input}
        type="search"
        aria-label={label}
        aria-keyshortcuts={useKeyShortcut('search')}
        placeholder={placeholder}
        maxLength={LONGEST_SEARCH}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={leave}
        onBlur={settle}
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
