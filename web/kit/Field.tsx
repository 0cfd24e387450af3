import { CircleAlert, TriangleAlert } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { useWords } from '#web/words/words.ts'

export interface FieldTexts {
  label: ReactNode
  hint?: ReactNode
  /** Shown below the control, which is marked invalid. */
  error?: string | undefined
  /** Shows "Optional" beside the label. */
  optional?: boolean
}

interface Wiring {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

/** A control with its label, hint and error, linked for screen readers. */
export function Field({
  label,
  hint,
  error,
  optional,
  children,
}: FieldTexts & { children: (wiring: Wiring) => ReactNode }) {
  const t = useWords()
  const id = useId()
  const hintId = hint ? `${id}-hint` : undefined
  const errorId = error ? `${id}-error` : undefined
  return (
    <div className="grid content-start gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="font-medium text-sm">
          {label}
        </label>
        {optional && <span className="text-soft text-xs">{t('site.optional')}</span>}
      </div>
      {children({
        id,
        'aria-describedby': [errorId, hintId].filter(Boolean).join(' ') || undefined,
        'aria-invalid': error ? true : undefined,
      })}
      {error && <FieldError id={errorId}>{error}</FieldError>}
      {hint && (
        <p id={hintId} className="text-soft text-xs">
          {hint}
        </p>
      )}
    </div>
  )
}

/** An error text. It has an icon because color must not be the only sign. */
export function FieldError({ id, children }: { id?: string | undefined; children: ReactNode }) {
  return (
    <p id={id} className="flex items-start gap-1.5 font-medium text-negative text-sm">
      <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  )
}

/** A hint about text that may be wrong, but is accepted. */
export function FieldWarning({ children }: { children: ReactNode }) {
  return (
    <span className="flex items-start gap-1.5 font-medium text-caution text-sm">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      {children}
    </span>
  )
}
