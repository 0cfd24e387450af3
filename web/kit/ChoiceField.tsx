import { useId } from 'react'
import { cx } from './cx.ts'
import { FieldError, type FieldTexts } from './Field.tsx'

interface ChoiceFieldProps<Value extends string> extends Pick<FieldTexts, 'label' | 'error'> {
  name: string
  choices: readonly { value: Value; label: string; hint?: string | undefined }[]
  selected: Value | undefined
  onSelect: (value: Value) => void
}

/** Radio buttons in a row, for two or three choices. */
export function ChoiceField<Value extends string>(props: ChoiceFieldProps<Value>) {
  const { label, error, name, choices, selected, onSelect } = props
  const id = useId()
  return (
    <fieldset className="grid content-start gap-1.5" aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="contents">
        <span className="font-medium text-sm">{label}</span>
      </legend>
      <div className={cx('grid grid-cols-2 gap-2', choices.length === 3 && 'sm:grid-cols-3')}>
        {choices.map((choice) => (
          <label
            key={choice.value}
            className="flex min-h-11 items-center gap-2.5 rounded-md border border-control bg-surface px-3 py-2 leading-tight has-checked:border-accent has-checked:bg-accent-quiet has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2"
          >
            <input
              type="radio"
              name={name}
              value={choice.value}
              checked={choice.value === selected}
              onChange={() => onSelect(choice.value)}
              className="size-4 shrink-0 accent-accent focus-visible:outline-none"
            />
            <span>
              {choice.label}
              {choice.hint && <span className="block text-soft text-sm">{choice.hint}</span>}
            </span>
          </label>
        ))}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  )
}
