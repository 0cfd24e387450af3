import { type KeyboardEvent, useRef } from 'react'
import { type Status, statuses } from '#domain/submission.ts'
import { cx } from '#web/kit/cx.ts'
import { Select } from '#web/kit/SelectField.tsx'
import { useWords } from '#web/words/words.ts'
import { useKeyShortcut } from '../shell/keys/KeyHint.tsx'
import type { Action } from '../shell/keys/key-table.ts'
import { useKeys } from '../shell/keys/use-keys.ts'

interface Props<T extends string> {
  name: string
  /** The label of the choice that filters nothing. */
  all: string
  choices: readonly { value: T; label: string }[]
  value: T | undefined
  onChange: (value: T | undefined) => void
  /** Its key focuses the select. Enter or Escape leaves it. */
  action?: Action
}

/** A select without a visible label: its first choice names it. */
export function FilterSelect<T extends string>({ name, all, choices, value, onChange, action }: Props<T>) {
  const select = useRef<HTMLSelectElement>(null)
  useKeys(action ? { [action]: () => select.current?.focus() } : {})
  return (
    <div className="min-w-32 flex-1 sm:flex-none">
      <Select
        ref={select}
        aria-label={name}
        aria-keyshortcuts={useKeyShortcut(action)}
        value={value ?? ''}
        // The first option filters nothing.
        onChange={(event) => onChange(choices[event.currentTarget.selectedIndex - 1]?.value)}
        onKeyDown={leave}
        placeholder={all}
        choices={choices}
        className={cx('sm:max-w-44 lg:max-w-52', value && 'border-accent')}
      />
    </div>
  )
}

function leave(event: KeyboardEvent<HTMLSelectElement>) {
  if (event.key !== 'Enter' && event.key !== 'Escape') return
  event.preventDefault()
  event.currentTarget.blur()
}

interface StatusFilterProps {
  value: Status | undefined
  onChange: (status: Status | undefined) => void
}

export function StatusFilter({ value, onChange }: StatusFilterProps) {
  const t = useWords()
  return (
    <FilterSelect
      action="filterStatus"
      name="Status"
      all="Any status"
      choices={statuses.map((status) => ({ value: status, label: t(`staffStatuses.${status}`) }))}
      value={value}
      onChange={onChange}
    />
  )
}
