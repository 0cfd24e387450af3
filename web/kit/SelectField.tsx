import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { controlClass } from './control-class.ts'
import { cx } from './cx.ts'
import { Field, type FieldTexts } from './Field.tsx'

export interface Choice {
  value: string
  label: string
}

type SelectProps = ComponentProps<'select'> & {
  choices: readonly Choice[]
  /** Shown while nothing is chosen. Without it the first choice is selected. */
  placeholder?: string
}

/** Uses the browser's select, which works best on phones. */
export function SelectField({ label, hint, error, optional, ...select }: FieldTexts & SelectProps) {
  const texts = { label, hint, error, ...(optional && { optional }) }
  return <Field {...texts}>{(wiring) => <Select {...wiring} {...select} />}</Field>
}

/** Shows no label. */
export function Select({ choices, placeholder, className, ...select }: SelectProps) {
  return (
    <div className="relative">
      <select {...select} className={cx(controlClass, 'appearance-none truncate pr-10', className)}>
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
      <ChevronDown className="pointer-events-none absolute top-1/2 right-3 -translate-y-1/2 text-soft" />
    </div>
  )
}
