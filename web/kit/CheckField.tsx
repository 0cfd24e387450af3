import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx.ts'

type CheckFieldProps = ComponentProps<'input'> & {
  label: ReactNode
  /** From `field(name)`. A checkbox has no errors. */
  error?: string | undefined
}

/** A checkbox with its label beside it. */
export function CheckField({ label, error: _error, className, ...input }: CheckFieldProps) {
  return (
    <label
      className={cx('flex min-h-11 cursor-pointer items-center gap-3 md:pointer-fine:min-h-9', className)}
    >
      <input type="checkbox" {...input} className="size-5 shrink-0 accent-accent" />
      {label}
    </label>
  )
}
