import type { ReactNode } from 'react'
import { type AuditAction, auditActions } from '#contract/audit.ts'
import { SelectField } from '#web/kit/SelectField.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { useSettledText } from '../filters/use-settled-text.ts'
import { type AuditFilters, LONGEST } from './audit-address.ts'
import { actionWords } from './audit-words.ts'

const choices = auditActions
  .map((value) => ({ value, label: actionWords[value] }))
  .sort((one, other) => one.label.localeCompare(other.label, 'en'))

interface AuditFilterBarProps {
  filters: AuditFilters
  onChange: (change: Partial<AuditFilters>) => void
  /** What else can be done with the list. */
  children: ReactNode
}

export function AuditFilterBar({ filters, onChange, children }: AuditFilterBarProps) {
  const { actor, action, subject, from, to } = filters
  return (
    <search className="grid items-end gap-3 sm:grid-cols-3 lg:grid-cols-[1fr_1.2fr_1.4fr_auto_auto_auto]">
      <TextFilter
        label="Who"
        placeholder="Username"
        value={actor}
        onChange={(text) => onChange({ actor: text })}
      />
      <SelectField
        label="What"
        placeholder="Everything"
        choices={choices}
        value={action ?? ''}
        onChange={({ currentTarget }) =>
          onChange({ action: (currentTarget.value || undefined) as AuditAction | undefined })
        }
      />
      <TextFilter
        label="To what"
        placeholder="Submission ID, username or brand slug"
        value={subject}
        onChange={(text) => onChange({ subject: text })}
      />
      <DayFilter label="From" value={from} onChange={(day) => onChange({ from: day })} />
      <DayFilter label="To" value={to} onChange={(day) => onChange({ to: day })} />
      <div className="flex flex-wrap gap-2">{children}</div>
    </search>
  )
}

interface FilterProps {
  label: string
  placeholder?: string
  value: string
  onChange: (value: string) => void
}

function TextFilter({ label, placeholder, value, onChange }: FilterProps) {
  const { text, setText, settle } = useSettledText(value, onChange)
  return (
    <TextField
      label={label}
      type="search"
      placeholder={placeholder}
      maxLength={LONGEST}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onKeyDown={({ key }) => key === 'Enter' && settle()}
      onBlur={settle}
    />
  )
}

function DayFilter({ label, value, onChange }: FilterProps) {
  return (
    <TextField
      label={label}
      type="date"
      max="9999-12-31"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}
