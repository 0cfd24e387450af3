import type { SyntheticEvent } from 'react'
import type { Brand } from '#domain/brands.ts'
import { toPlainDollars } from '#domain/money.ts'
import { quickAmounts } from '#domain/quote.ts'
import { cx } from '#web/kit/cx.ts'
import { TextField } from '#web/kit/TextField.tsx'
import { useTypedEarly } from '#web/kit/use-typed-early.ts'
import { useWords } from '#web/words/words.ts'

/** Represents letters typed into a number field, for which browsers report an empty value. */
const NOT_A_NUMBER = 'not-a-number'

interface AmountFieldProps {
  value: string
  onChange: (value: string) => void
  brand?: Brand | undefined
  error?: string | undefined
}

/** The card's value, with buttons for common amounts within the brand's limits. */
export function AmountField({ value, onChange, brand, error }: AmountFieldProps) {
  const t = useWords()
  const field = useTypedEarly(onChange)
  const change = ({ currentTarget }: SyntheticEvent<HTMLInputElement>) =>
    onChange(currentTarget.validity.badInput ? NOT_A_NUMBER : currentTarget.value)
  return (
    <div className="grid gap-2">
      <TextField
        ref={field}
        label={t('cards.value')}
        name="value"
        type="number"
        inputMode="decimal"
        step="0.01"
        min="0"
        placeholder="0.00"
        prefix="$"
        value={value === NOT_A_NUMBER ? '' : value}
        onChange={change}
        // If the first character is a letter, the value stays empty, and React reports no change.
        onInput={change}
        // Otherwise scrolling over the field would change the amount.
        onWheel={(event) => event.currentTarget.blur()}
        error={error}
        className="figures no-spinner text-lg"
      />
      {brand && <QuickAmounts brand={brand} value={value} onChange={onChange} />}
    </div>
  )
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
    <fieldset className="grid auto-cols-fr grid-flow-col gap-1.5 sm:flex sm:flex-wrap sm:gap-2">
      <legend className="sr-only">{t('cards.commonValues')}</legend>
      {quickAmounts(brand).map((cents) => {
        const amount = toPlainDollars(cents)
        const chosen = Number(value) === Number(amount)
        return (
          <button
            key={cents}
            type="button"
            aria-pressed={chosen}
            onClick={() => onChange(amount)}
            className={cx(
              'figures min-h-11 rounded-full border px-1 font-medium text-sm sm:min-w-14 sm:px-3 md:min-h-9',
              chosen ? 'border-accent bg-accent-quiet text-accent' : 'border-control hover:bg-sunken',
            )}
          >
            ${amount}
          </button>
        )
      })}
    </fieldset>
  )
}
