import { Keyboard } from 'lucide-react'
import { isStatus, statuses, statusRules } from '#domain/submission.ts'
import { useBrands } from '../../quote/use-brands.ts'
import { Button } from '../../ui/Button.tsx'
import type { Choice } from '../../ui/SelectField.tsx'
import { KeyHint, keyShortcut } from '../keys/KeyHint.tsx'
import { FilterSelect } from './FilterSelect.tsx'
import { SearchField } from './SearchField.tsx'
import type { ViewControl } from './view.ts'

const statusChoices: Choice[] = statuses.map((value) => ({ value, label: statusRules[value].label }))

export function FilterBar({ control, onKeys }: { control: ViewControl; onKeys: () => void }) {
  const { view, change } = control
  return (
    <search className="flex flex-wrap items-center gap-2">
      <SearchField value={view.q} onChange={(q) => change({ q })} />
      <FilterSelect
        name="Status"
        all="All statuses"
        choices={statusChoices}
        value={view.status}
        onChange={(status) => change({ status: isStatus(status) ? status : undefined })}
      />
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
        >
          Clear filters
        </Button>
      )}
      <Button
        variant="quiet"
        onClick={onKeys}
        aria-keyshortcuts={keyShortcut('help')}
        icon={<Keyboard aria-hidden="true" className="size-4" />}
        className="ml-auto hidden px-3 pointer-fine:inline-flex"
      >
        Keys <KeyHint action="help" />
      </Button>
    </search>
  )
}

/** The catalogue by name, and the brand that is filtered for even where the catalogue hasn't got it. */
function useBrandChoices(chosen: string | undefined): Choice[] {
  const { brands } = useBrands()
  const choices = brands.map(({ value, name }) => ({ value, label: name }))
  if (chosen && !brands.some(({ value }) => value === chosen)) choices.push({ value: chosen, label: chosen })
  return choices.sort((one, other) => one.label.localeCompare(other.label, 'en'))
}
