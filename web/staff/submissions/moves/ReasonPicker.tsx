import { Search } from 'lucide-react'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { type ReasonCategory, reasonCategories } from '#domain/reasons.ts'
import { cx } from '#web/kit/cx.ts'
import { controlClass } from '#web/kit/Field.tsx'
import { useFocus } from './use-focus.ts'

/** Reasons by category, narrowed by typing: arrows choose, Enter takes one, and so does a click. */
export function ReasonPicker({ onPick }: { onPick: (text: string) => void }) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const [at, setAt] = useState(0)
  const found = findReasons(typed)
  const all = found.flatMap(({ reasons }) => reasons)
  const active = all[at]
  const optionId = (code: string) => `${id}-${code}`
  const input = useFocus<HTMLInputElement>()
  useShownOption(active && optionId(active.code))

  function onKeyDown(event: KeyboardEvent) {
    if (event.key === 'ArrowDown') setAt(Math.min(at + 1, all.length - 1))
    else if (event.key === 'ArrowUp') setAt(Math.max(at - 1, 0))
    else if (event.key === 'Enter') onPick(active?.text ?? typed)
    else return
    event.preventDefault()
  }

  return (
    <div className="grid content-start gap-2">
      <div className="relative">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-soft"
        />
        <input
          ref={input}
          type="search"
          role="combobox"
          aria-label="Find a reason"
          aria-expanded={all.length > 0}
          aria-controls={id}
          aria-activedescendant={active && optionId(active.code)}
          autoComplete="off"
          placeholder="Find a reason"
          value={typed}
          onChange={(event) => {
            setTyped(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
          className={cx(controlClass, 'pl-9')}
        />
      </div>
      <div
        id={id}
        role="listbox"
        aria-label="Reasons"
        tabIndex={-1}
        hidden={all.length === 0}
        className="max-h-80 overflow-y-auto rounded-md border border-line outline-none"
      >
        {found.map(({ name, reasons }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset can't stand in a listbox
          <div key={name} role="group" aria-label={name}>
            <p
              aria-hidden="true"
              className="sticky top-0 bg-surface px-3 pt-2.5 pb-1 font-semibold text-soft text-xs"
            >
              {name}
            </p>
            {reasons.map((reason) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text field, which names the active one
              // biome-ignore lint/a11y/useKeyWithClickEvents: the text field takes the keys
              <div
                key={reason.code}
                id={optionId(reason.code)}
                role="option"
                aria-selected={reason === active}
                onClick={() => onPick(reason.text)}
                className={cx(
                  'cursor-pointer px-3 py-2 text-sm leading-snug',
                  reason === active ? 'bg-accent-quiet' : 'hover:bg-sunken',
                )}
              >
                {reason.text}
              </div>
            ))}
          </div>
        ))}
      </div>
      {all.length === 0 && (
        <p role="status" className="px-3 text-soft text-sm">
          No reason matches. Press Enter to use what you typed.
        </p>
      )}
    </div>
  )
}

/** Scrolls the list so that the active option is in sight. */
function useShownOption(optionId: string | undefined): void {
  useEffect(() => {
    if (optionId) document.getElementById(optionId)?.scrollIntoView({ block: 'nearest' })
  }, [optionId])
}

/** The reasons in which every typed word begins a word of the reason or of its category. */
export function findReasons(typed: string): ReasonCategory[] {
  const wanted = wordsOf(typed)
  return reasonCategories
    .map((category) => ({
      ...category,
      reasons: category.reasons.filter(({ text }) => {
        const words = wordsOf(`${category.name} ${text}`)
        return wanted.every((begin) => words.some((word) => word.startsWith(begin)))
      }),
    }))
    .filter(({ reasons }) => reasons.length > 0)
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
