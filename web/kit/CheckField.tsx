import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from './cx.ts'
import { FieldError } from './Field.tsx'

type CheckFieldProps = ComponentProps<'input'> & {
  label: ReactNode
  /** Why it has to be checked. */
  error?: string | undefined
}

/** A checkbox with its label beside it. */
export function CheckField({ label, error, className, ...input }: CheckFieldProps) {
  const errorId = useId()
  return (
    <>
      <label
        className={cx('flex min-h-11 cursor-pointer items-center gap-3 md:pointer-fine:min-h-9', className)}
      >
        <input
          type="checkbox"
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? errorId : undefined}
          {...input}
          className="size-5 shrink-0 accent-accent"
        />
        {label}
      </label>
      {error && <FieldError id={errorId}>{error}</FieldError>}
    </>
  )
}
