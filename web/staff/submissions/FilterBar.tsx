import { Keyboard, X } from 'lucide-react'
import { useMemo } from 'react'
import { useBrands } from '#web/cards/use-brands.ts'
import { Button } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import type { Choice } from '#web/kit/SelectField.tsx'
import { KeyButton } from '../keys/KeyHint.tsx'
import { useShortcutsOn } from '../keys/use-keys.ts'
import { FilterSelect, StatusFilter } from '../lists/FilterSelect.tsx'
import { SearchField } from '../lists/SearchField.tsx'
import { useView } from './use-view.ts'

export function FilterBar({ onKeys }: { onKeys: () => void }) {
  const { view, change } = useView()
  const shortcutsOn = useShortcutsOn()
  return (
    <search className="flex flex-wrap items-center gap-2">
      <SearchField
        label="Search submissions"
        placeholder="ID, brand, card number, username, email or amount"
        value={view.q}
        onChange={(q) => change({ q })}
      />
      <StatusFilter value={view.status} onChange={(status) => change({ status })} />
      <FilterSelect
        name="Brand"
        all="All brands"
        choices={useBrandChoices(view.brand)}
        value={view.brand}
        onChange={(brand) => change({ brand: brand || undefined })}
      />
      {(view.q || view.status || view.brand) && (
        <Button
          variant="quiet"
          onClick={() => change({ q: '', status: undefined, brand: undefined })}
          className="px-3"
          icon={<X />}
        >
          <span className="max-[1100px]:sr-only">Clear filters</span>
        </Button>
      )}
      <KeyButton
        action="help"
        variant="quiet"
        onClick={onKeys}
        icon={<Keyboard />}
        // Always visible with shortcuts off: it is the only way to switch them on.
        className={cx('ml-auto px-3', shortcutsOn && 'hidden pointer-fine:inline-flex')}
      >
        <span className="max-[1100px]:sr-only">Keys</span>
      </KeyButton>
    </search>
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
