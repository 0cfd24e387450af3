import type { ReactNode } from 'react'
import { Button } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Form } from '#web/kit/Form.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import type { ToastMessage } from '#web/kit/toast.ts'
import { useCallForm } from '#web/wire/use-call-form.ts'
import { useWords } from '#web/words/words.ts'

/** Asks for the password before a change. Closes when the change is made. */
export function PasswordDialog({ open, onClose, send, onDone, failed, ...shown }: PasswordDialogProps) {
  const t = useWords()
  const { form, sending, submit, field } = useCallForm({
    schema: () => import('#contract/passkeys.ts').then((contract) => contract.passwordCheck),
    start: { password: '' },
    send: ({ password }) => send(password),
    onDone: async () => {
      await onDone()
      close()
    },
    failed,
  })
  function close() {
    form.reset({ password: '' })
    onClose()
  }
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || close()}
      title={shown.title}
      description={shown.description}
      actions={
        <>
          <Button variant="secondary" onClick={close}>
            {shown.cancel ?? t('site.cancel')}
          </Button>
          <Button variant={shown.danger ? 'danger' : 'primary'} loading={sending.isPending} onClick={submit}>
            {shown.submit}
          </Button>
        </>
      }
    >
      {shown.children}
      <Form onSubmit={submit}>
        <TextField
          label={shown.label}
          type="password"
          autoComplete="current-password"
          {...field('password')}
        />
      </Form>
    </Dialog>
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
