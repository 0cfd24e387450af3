import { SlidersHorizontal, X } from 'lucide-react'
import { useId, useMemo, useState } from 'react'
import { paymentTypes } from '#domain/payment-methods.ts'
import { useBrands } from '#web/cards/use-brands.ts'
import { Button } from '#web/kit/Button.tsx'
import { controlClass } from '#web/kit/control-class.ts'
import { cx } from '#web/kit/cx.ts'
import type { Choice } from '#web/kit/SelectField.tsx'
import { useWords } from '#web/words/words.ts'
import { FilterSelect, StatusFilter } from '../list/FilterSelect.tsx'
import { SearchField, useDebouncedText } from '../list/SearchField.tsx'
import { KeysButton } from '../shell/keys/KeyHint.tsx'
import { useShortcutsOn } from '../shell/keys/use-keys.ts'
import { ages, countFilters, isAmount, noFilters, useView } from './use-view.ts'

export function FilterBar({ onKeys }: { onKeys: () => void }) {
  const { view, change } = useView()
  const shortcutsOn = useShortcutsOn()
  const count = countFilters(view)
  const [isOpen, setOpen] = useState(moreFilters.some((name) => view[name]))
  const more = useId()
  return (
    <search className="flex flex-wrap items-center gap-2">
      <div className="min-w-48 flex-1 sm:contents sm:max-[1100px]:*:min-w-32">
        <SearchField
          label="Search submissions"
          placeholder="ID, brand, card, seller or amount"
          value={view.q}
          // A search looks in all submissions, until a view is chosen.
          onChange={(q) => change({ q, ...(!view.q && { view: undefined }) })}
        />
      </div>
      {/* On phones the list needs the room: they open with the other filters, below the line of the search. */}
      <div
        className={cx(
          'flex basis-full gap-2 max-sm:order-1 sm:contents',
          !isOpen && !view.status && !view.brand && 'max-sm:hidden',
        )}
      >
        <StatusFilter value={view.status} onChange={(status) => change({ status, view: undefined })} />
        <FilterSelect
          name="Brand"
          all="Any brand"
          choices={useBrandChoices(view.brand)}
          value={view.brand}
          onChange={(brand) => change({ brand })}
        />
      </div>
      <Button
        variant="secondary"
        aria-expanded={isOpen}
        aria-controls={more}
        onClick={() => setOpen(!isOpen)}
        icon={<SlidersHorizontal />}
        className="px-3"
      >
        <span className="max-[1100px]:sr-only">More filters</span>
      </Button>
      {(view.q || count > 0) && (
        <Button variant="quiet" onClick={() => change({ q: '', ...noFilters })} className="px-3" icon={<X />}>
          <span className="max-[1100px]:sr-only">Clear filters</span>
        </Button>
      )}
      <KeysButton
        onClick={onKeys}
        // Always visible with shortcuts off: it is the only way to switch them on.
        className={cx('ml-auto px-3', shortcutsOn && 'max-sm:hidden pointer-coarse:hidden')}
      >
        <span className="max-[1100px]:sr-only">Keys</span>
      </KeysButton>
      <div id={more} hidden={!isOpen} className="flex basis-full flex-wrap items-center gap-2 max-sm:order-1">
        {isOpen && <MoreFilters />}
      </div>
    </search>
  )
}

const moreFilters = ['age', 'minAmount', 'maxAmount', 'paymentType', 'claimed'] as const

function MoreFilters() {
  const { view, change } = useView()
  const t = useWords()
  return (
    <>
      <FilterSelect
        name="Age"
        all="Any age"
        choices={ages.map((hours) => ({ value: hours, label: `Over ${hours} h` }))}
        value={view.age}
        onChange={(age) => change({ age })}
      />
      <AmountFilter
        label="Lowest amount"
        placeholder="From"
        value={view.minAmount}
        onChange={(minAmount) => change({ minAmount })}
      />
      <AmountFilter
        label="Highest amount"
        placeholder="To"
        value={view.maxAmount}
        onChange={(maxAmount) => change({ maxAmount })}
      />
      <FilterSelect
        name="Payment method"
        all="Any method"
        choices={paymentTypes.map((type) => ({ value: type, label: t(`payments.type.${type}`) }))}
        value={view.paymentType}
        onChange={(paymentType) => change({ paymentType })}
      />
      <FilterSelect
        name="Claimed by"
        all="Anyone or nobody"
        choices={[
          { value: 'none', label: 'Nobody' },
          { value: 'me', label: 'Me' },
        ]}
        value={view.claimed}
        onChange={(claimed) => change({ claimed })}
      />
    </>
  )
}

interface AmountFilterProps {
  label: string
  placeholder: string
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** Takes dollars. Other text is marked and filters nothing. */
function AmountFilter({ label, placeholder, value = '', onChange }: AmountFilterProps) {
  const { text, setText, flush } = useDebouncedText(value, (typed) => onChange(typed || undefined))
  return (
    <div className="relative w-28">
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 left-3 grid place-items-center text-soft"
      >
        $
      </span>
      <input
        aria-label={label}
        aria-invalid={(text !== '' && !isAmount(text.trim())) || undefined}
        placeholder={placeholder}
        inputMode="decimal"
        maxLength={14}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onBlur={flush}
        autoComplete="off"
        className={cx(controlClass, 'figures pl-7', value && 'border-accent')}
      />
    </div>
  )
}

/** The catalog sorted by name, plus the selected brand if the catalog does not have it. */
function useBrandChoices(chosen: string | undefined): Choice[] {
  const { brands } = useBrands()
  return useMemo(() => {
    const choices = brands.map(({ value, name }) => ({ value, label: name }))
    if (chosen && !brands.some(({ value }) => value === chosen))
      choices.push({ value: chosen, label: chosen })
    return choices.sort((one, other) => (one.label.toLowerCase() < other.label.toLowerCase() ? -1 : 1))
  }, [brands, chosen])
}
