import type { ComponentProps } from 'react'
import { PasswordField } from '#web/kit/PasswordField.tsx'
import { TextArea, TextField } from '#web/kit/TextField.tsx'

type ReasonFieldProps = Omit<ComponentProps<typeof TextArea>, 'label'> & {
  label?: string
  /** What Ctrl + Enter does, after "to". */
  does?: string
  /** For a form in the page. A dialog closes by itself. */
  onEscape?: (field: HTMLTextAreaElement) => void
}

/** Why somebody does something. */
export function ReasonField({ label = 'Reason', does = 'save', hint, onEscape, ...field }: ReasonFieldProps) {
  return (
    <TextArea
      label={label}
      rows={3}
      autoFocus
      hint={
        <>
          {hint}
          <span className="pointer-coarse:hidden">
            {hint && '. '}Press Ctrl + Enter to {does}
          </span>
        </>
      }
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Escape') onEscape?.(currentTarget)
      }}
      {...field}
    />
  )
}

/** The id that the bank or service gave a payment. */
export function ConfirmationField({ hint, ...field }: Omit<ComponentProps<typeof TextField>, 'label'>) {
  return (
    <TextField
      label="Confirmation number"
      autoComplete="off"
      spellCheck={false}
      hint={hint ?? 'From the bank or service. The seller sees it'}
      {...field}
    />
  )
}

/** The administrator's own password, asked for before secrets are exported. */
export function OwnPasswordField(field: Omit<ComponentProps<typeof PasswordField>, 'label'>) {
  return <PasswordField label="Your password" autoFocus autoComplete="current-password" {...field} />
}
