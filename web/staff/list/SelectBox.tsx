import type { ChangeEvent } from 'react'
import { cx } from '#web/kit/cx.ts'

interface SelectBoxProps {
  /** For screen readers. */
  label: string
  checked: boolean
  /** Why the row cannot be chosen. */
  refusal?: string | undefined
  /** @param options.through whether Shift was pressed */
  onChange: (options: { through: boolean }) => void
  className?: string
}

/** The box that chooses a row, as large as a thumb. */
export function SelectBox({ label, checked, refusal, onChange, className }: SelectBoxProps) {
  return (
    <label
      title={refusal}
      className={cx('grid place-items-center', refusal ? 'cursor-not-allowed' : 'cursor-pointer', className)}
    >
      <span className="sr-only">
        {label}
        {refusal && `. ${refusal}`}
      </span>
      <input
        type="checkbox"
        checked={checked && !refusal}
        disabled={refusal !== undefined}
        onChange={(event) => onChange({ through: isShift(event) })}
        className="size-5 accent-accent disabled:opacity-40"
      />
    </label>
  )
}

function isShift({ nativeEvent }: ChangeEvent): boolean {
  return 'shiftKey' in nativeEvent && nativeEvent.shiftKey === true
}
