import { useEffect, useRef, useState } from 'react'
import type { Brand } from '#domain/brands.ts'
import { parseTypedDollars, toPlainDollars, toShortDollars } from '#domain/money.ts'
import { type QuoteProblem, quickAmounts } from '#domain/quote.ts'
import { cx } from '#web/kit/cx.ts'
import { TextField } from '#web/kit/TextField.tsx'
import { useTypedEarly } from '#web/kit/use-typed-early.ts'
import { useWords } from '#web/words/words.ts'

interface AmountFieldProps {
  /** By default the card's value. */
  label?: string
  name?: string
  hint?: string
  error?: string | undefined
  value: string
  onChange: (value: string) => void
  brand?: Brand | undefined
  problem?: QuoteProblem | undefined
}

/** An amount that is too small may still grow: 10 on the way to 100. Its error waits for this pause, or for leaving the field. */
const PAUSE_MS = 600

/** The card's value, with buttons for common amounts within the brand's limits. */
export function AmountField({ value, onChange, brand, problem, error, ...texts }: AmountFieldProps) {
  const t = useWords()
  const field = useTypedEarly(onChange)
  const typing = useTyping()
  const isShown = problem && !(typing.isTyping && problem.code === 'amount_below_minimum')
  return (
    <div className="grid gap-2">
      <TextField
        ref={field}
        label={t('cards.value')}
        name="value"
        // Not of type number: Chromium drops the comma of "12,50" from it.
        inputMode="decimal"
        step="0.01"
        autoComplete="off"
        placeholder="0.00"
        prefix="$"
        value={value}
        onChange={({ currentTarget }) => {
          typing.start()
          onChange(currentTarget.value)
        }}
        onBlur={typing.end}
        hint={
          isShown &&
          problem.code === 'amount_invalid' &&
          brand &&
          t('cards.validAmount', {
            minimum: toShortDollars(brand.minimum),
            maximum: toShortDollars(brand.maximum),
          })
        }
        error={error ?? (isShown ? t(`fields.${problem.code}`, problem.params) : undefined)}
        className="figures text-lg"
        {...texts}
      />
      {brand && <QuickAmounts brand={brand} value={value} onChange={onChange} />}
    </div>
  )
}

/** Whether somebody is typing: until they pause or leave the field. */
function useTyping() {
  const [isTyping, setIsTyping] = useState(false)
  const timer = useRef<number>(undefined)
  function end() {
    clearTimeout(timer.current)
    setIsTyping(false)
  }
  function start() {
    clearTimeout(timer.current)
    timer.current = window.setTimeout(end, PAUSE_MS)
    setIsTyping(true)
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  return { isTyping, start, end }
}

function QuickAmounts({
  brand,
  value,
  onChange,
}: {
  brand: Brand
  value: string
  onChange: (value: string) => void
}) {
  const t = useWords()
  return (
    <fieldset className="flex flex-wrap gap-1.5 sm:gap-2">
      <legend className="sr-only">{t('cards.commonValues')}</legend>
      {quickAmounts(brand).map((cents) => {
        const chosen = parseTypedDollars(value) === cents
        return (
          <button
            key={cents}
            type="button"
            aria-pressed={chosen}
            onClick={() => onChange(toPlainDollars(cents))}
            className={cx(
              'figures min-h-11 flex-1 whitespace-nowrap rounded-chip border px-1 font-medium text-sm sm:min-w-14 sm:flex-none sm:px-3 md:min-h-9',
              chosen ? 'border-accent bg-accent-quiet text-accent' : 'border-control hover:bg-sunken',
            )}
          >
            {toShortDollars(cents)}
          </button>
        )
      })}
    </fieldset>
  )
}
