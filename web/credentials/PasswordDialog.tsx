import type { ReactNode } from 'react'
import { ActionDialog } from '#web/forms/ActionForm.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import type { ToastMessage } from '#web/kit/toast.ts'

/** Asks for the password before a change. Closes when the change is made. */
export function PasswordDialog({ label, send, children, ...dialog }: PasswordDialogProps) {
  return (
    <ActionDialog
      {...dialog}
      schema={() => import('#contract/passkeys.ts').then((contract) => contract.passwordCheck)}
      start={{ password: '' }}
      send={({ password }) => send(password)}
    >
      {(field) => (
        <>
          {children}
          <TextField label={label} type="password" autoComplete="current-password" {...field('password')} />
        </>
      )}
    </ActionDialog>
  )
}

interface PasswordDialogProps {
  open: boolean
  onClose: () => void
  title: string
  description: string
  /** The label of the password. */
  label: string
  /** The labels of the buttons. */
  submit: string
  cancel?: string
  danger?: boolean
  /** Above the password. */
  children?: ReactNode
  send: (password: string) => Promise<unknown>
  onDone: () => void | Promise<void>
  /** The toast of a failure, or undefined if the screen shows the failure itself. */
  failed: (error: Error) => ToastMessage | undefined
}
