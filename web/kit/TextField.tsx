import type { ComponentProps, ReactNode } from 'react'
import { controlClass } from './control-class.ts'
import { cx } from './cx.ts'
import { Field, type FieldTexts } from './Field.tsx'

type TextFieldProps = FieldTexts &
  Omit<ComponentProps<'input'>, 'prefix'> & {
    /** Shown in the field before the value: a currency sign or an icon. */
    prefix?: ReactNode
    /** Shown in the field after the value: a button. */
    suffix?: ReactNode
  }

export function TextField({
  label,
  hint,
  error,
  optional,
  prefix,
  suffix,
  className,
  ...input
}: TextFieldProps) {
  const texts = { label, hint, error, ...(optional && { optional }) }
  return (
    <Field {...texts}>
      {(wiring) => (
        <div className="relative">
          {prefix && (
            <span
              aria-hidden="true"
              className="pointer-events-none absolute inset-y-0 left-0 grid w-10 place-items-center text-soft"
            >
              {prefix}
            </span>
          )}
          <input
            {...wiring}
            {...input}
            className={cx(
              controlClass,
              prefix ? 'pl-10' : undefined,
              suffix ? 'pr-20' : undefined,
              className,
            )}
          />
          {suffix && <div className="absolute inset-y-0 right-0 grid place-items-center">{suffix}</div>}
        </div>
      )}
    </Field>
  )
}

type TextAreaProps = FieldTexts & ComponentProps<'textarea'>

export function TextArea({ label, hint, error, optional, className, ...area }: TextAreaProps) {
  const texts = { label, hint, error, ...(optional && { optional }) }
  return (
    <Field {...texts}>
      {(wiring) => (
        <textarea rows={3} {...wiring} {...area} className={cx(controlClass, 'block', className)} />
      )}
    </Field>
  )
}
