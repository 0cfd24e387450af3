import { isStatus, type Status, statuses, statusRules } from '#domain/submission.ts'
import { FilterSelect } from './FilterSelect.tsx'

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
