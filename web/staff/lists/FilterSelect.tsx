import { ChevronDown } from 'lucide-react'
import { type KeyboardEvent, useRef } from 'react'
import { isStatus, type Status, statuses, statusRules } from '#domain/submission.ts'
import { cx } from '#web/kit/cx.ts'
import { controlClass } from '#web/kit/Field.tsx'
import type { Choice } from '#web/kit/SelectField.tsx'
import { useKeyShortcut } from '../keys/KeyHint.tsx'
import type { Action } from '../keys/key-table.ts'
import { useKeys } from '../keys/use-keys.ts'

interface FilterSelectProps {
  name: string
  /** The label of the choice that filters nothing. */
  all: string
  choices: readonly Choice[]
  value: string | undefined
  onChange: (value: string) => void
  /** Its key focuses the select. Enter or Escape leaves it. */
  action?: Action
}

/** A select without a visible label: its first choice names it. */
export function FilterSelect({ name, all, choices, value, onChange, action }: FilterSelectProps) {
  const select = useRef<HTMLSelectElement>(null)
  useKeys(action ? { [action]: () => select.current?.focus() } : {})
  return (
    <div className="relative min-w-32 flex-1 sm:flex-none">
      <select
        ref={select}
        aria-label={name}
        aria-keyshortcuts={useKeyShortcut(action)}
        value={value ?? ''}
        onChange={(event) => onChange(event.currentTarget.value)}
        onKeyDown={leave}
        className={cx(controlClass, 'appearance-none pr-9 sm:max-w-44 lg:max-w-52', value && 'border-accent')}
      >
        <option value="">{all}</option>
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 right-3 size-4 -translate-y-1/2 text-soft"
      />
    </div>
  )
}

function leave(event: KeyboardEvent<HTMLSelectElement>) {
  if (event.key !== 'Enter' && event.key !== 'Escape') return
  event.preventDefault()
  event.currentTarget.blur()
}

const choices = statuses.map((value) => ({ value, label: statusRules[value].label }))

interface StatusFilterProps {
  value: Status | undefined
  onChange: (status: Status | undefined) => void
}

export function StatusFilter({ value, onChange }: StatusFilterProps) {
  return (
    <FilterSelect
      action="filterStatus"
      name="Status"
      all="All statuses"
      choices={choices}
      value={value}
      onChange={(status) => onChange(isStatus(status) ? status : undefined)}
    />
  )
}
