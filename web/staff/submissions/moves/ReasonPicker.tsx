import { Combobox } from '@base-ui/react/combobox'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { type ReasonCategory, reasonCategories } from '#domain/reasons.ts'
import { cx } from '#web/kit/cx.ts'
import { controlClass } from '#web/kit/Field.tsx'
import { useFocus } from './use-focus.ts'

type Reason = ReasonCategory['reasons'][number]

/** Reasons by category, filtered by typing. Enter or a click picks one. */
export function ReasonPicker({ onPick }: { onPick: (text: string) => void }) {
  const [typed, setTyped] = useState('')
  const input = useFocus<HTMLInputElement>()
  const found = findReasons(typed).map(({ name, reasons }) => ({ value: name, items: reasons }))
  return (
    <Combobox.Root
      inline
      open
      autoHighlight
      items={found}
      filter={null}
      value={null}
      onValueChange={(reason: Reason | null) => reason && onPick(reason.text)}
      itemToStringLabel={({ text }: Reason) => text}
      inputValue={typed}
      onInputValueChange={(text, { reason }) => reason === 'input-change' && setTyped(text)}
    >
      <div className="grid content-start gap-2">
        <div className="relative">
          <Search
            aria-hidden="true"
            className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-soft"
          />
          <Combobox.Input
            ref={input}
            // A dialog does not ask before it discards a search.
            type="search"
            aria-label="Find a reason"
            placeholder="Find a reason"
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.currentTarget.hasAttribute('aria-activedescendant')) return
              // Enter with nothing highlighted must not submit the form.
              event.preventDefault()
              if (found.length === 0) onPick(typed)
            }}
            className={cx(controlClass, 'pl-9')}
          />
        </div>
        <Combobox.List
          aria-label="Reasons"
          className="max-h-80 overflow-y-auto rounded-md border border-line outline-none empty:hidden"
        >
          {({ value, items }: (typeof found)[number]) => (
            <Combobox.Group key={value} items={items}>
              <Combobox.GroupLabel className="sticky top-0 bg-surface px-3 pt-2.5 pb-1 font-semibold text-soft text-xs">
                {value}
              </Combobox.GroupLabel>
              <Combobox.Collection>
                {(reason: Reason) => (
                  <Combobox.Item
                    key={reason.code}
                    value={reason}
                    className="cursor-pointer px-3 py-2 text-sm leading-snug outline-none data-highlighted:bg-accent-quiet"
                  >
                    {reason.text}
                  </Combobox.Item>
                )}
              </Combobox.Collection>
            </Combobox.Group>
          )}
        </Combobox.List>
        <Combobox.Empty className="px-3 text-soft text-sm empty:hidden">
          No reason matches. Press Enter to use what you typed.
        </Combobox.Empty>
      </div>
    </Combobox.Root>
  )
}

/** The reasons where every typed word starts a word of the reason or its category. */
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
