import { Combobox } from '@base-ui/react/combobox'
import { Search } from 'lucide-react'
import { useId, useState } from 'react'
import { flushSync } from 'react-dom'
import { isAboutBrand, type ReasonCode, reasonCategoriesFor } from '#domain/reasons.ts'
import type { MoveName } from '#domain/submission.ts'
import { Button } from '#web/kit/Button.tsx'
import { controlClass } from '#web/kit/control-class.ts'
import { cx } from '#web/kit/cx.ts'
import { translate } from '#web/words/words.ts'

interface Reason {
  code: string
  text: string
}

interface ReasonPickerProps {
  move: MoveName
  /** The slug of the card's brand. Without it, the reasons about any brand are offered. */
  brand: string | undefined
  /** What the texts are called, in lower case. */
  noun: 'reason' | 'question'
  autoFocus: boolean
  onPick: (text: string) => void
}

/**
 * The texts of a move by category, filtered by typing. Enter or a click picks one. A failed payout is rarely about the card, so the
 * reasons about the card are folded.
 */
export function ReasonPicker({ move, brand, noun, autoFocus, onPick }: ReasonPickerProps) {
  const [typed, setTyped] = useState('')
  const [unfolded, setUnfolded] = useState(move !== 'fail')
  const input = useId()
  const matching = findReasons(move, typed, brand)
  const isFolded = !unfolded && !typed
  const found = isFolded ? matching.slice(0, 1) : matching
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
      <div className="grid content-start gap-1.5">
        <label htmlFor={input} className="font-medium text-sm">
          Find a {noun}
        </label>
        <div className="relative">
          <Search className="pointer-events-none absolute top-1/2 left-3 -translate-y-1/2 text-soft" />
          <Combobox.Input
            autoFocus={autoFocus}
            // A dialog does not ask before it discards a search.
            type="search"
            id={input}
            placeholder="Type a word"
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || event.currentTarget.hasAttribute('aria-activedescendant')) return
              // Renders at once: Ctrl + Enter then submits the form, which needs the typed text.
              if (found.length === 0) flushSync(() => onPick(typed))
              // Enter with nothing highlighted must not submit the form.
              if (!event.ctrlKey && !event.metaKey) event.preventDefault()
            }}
            className={cx(controlClass, 'pl-9')}
          />
        </div>
        <Combobox.List
          aria-label={noun === 'reason' ? 'Reasons' : 'Questions'}
          className={cx(
            'overflow-y-auto rounded-md border border-line outline-none empty:hidden',
            !isFolded && 'max-h-80',
          )}
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
                    className="cursor-pointer px-3 py-2 text-sm leading-snug md:pointer-fine:py-1.5 outline-none data-highlighted:bg-accent-quiet"
                  >
                    {reason.text}
                  </Combobox.Item>
                )}
              </Combobox.Collection>
            </Combobox.Group>
          )}
        </Combobox.List>
        {isFolded && (
          <Button
            variant="secondary"
            size="sm"
            className="justify-self-start"
            onClick={() => setUnfolded(true)}
          >
            Show reasons about the card
          </Button>
        )}
        <Combobox.Empty className="px-3 text-soft text-sm empty:hidden">
          No {noun} matches. Press Enter to use what you typed.
        </Combobox.Empty>
      </div>
    </Combobox.Root>
  )
}

/** The texts of a move where every typed word starts a word of the text or its category. */
export function findReasons(
  move: MoveName,
  typed: string,
  brand?: string,
): { value: string; items: Reason[] }[] {
  const t = translate()
  const wanted = wordsOf(typed)
  return reasonCategoriesFor(move)
    .map((category) => {
      const value = t(`reasons.category.${category.code}`)
      const codes: readonly ReasonCode[] = category.reasons
      const items = codes
        .filter((code) => brand === undefined || isAboutBrand(code, brand))
        .map((code) => ({ code, text: t(`reasons.text.${code}`) }))
      return { value, items: items.filter(({ text }) => matches(`${value} ${text}`, wanted)) }
    })
    .filter(({ items }) => items.length > 0)
}

function matches(text: string, wanted: readonly string[]): boolean {
  const words = wordsOf(text)
  return wanted.every((begin) => words.some((word) => word.startsWith(begin)))
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}
