import { useQueryClient } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import type { Route } from '#contract/route.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Form, FormActions } from '#web/kit/Form.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { type ToastMessage, toast } from '#web/kit/toast.ts'
import { ApiError, messageOf } from '../wire/errors.ts'
import { refresh } from '../wire/read.ts'
import { useCallForm } from './use-call-form.ts'
import type { FormRules } from './use-form.ts'

/** Asks before one call, with the fields that it needs. Closes when the call is done; after a failure it keeps what was typed. */
export function ActionDialog<Typed extends object, Output, Answer>({
  open,
  title,
  description,
  wide,
  onClose,
  onDone,
  ...form
}: ActionDialogProps<Typed, Output, Answer>) {
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => next || onClose()}
      title={title}
      description={description}
      wide={wide}
    >
      <ActionForm
        {...form}
        onCancel={onClose}
        onDone={async (answer) => {
          await onDone?.(answer)
          onClose()
        }}
      />
    </Dialog>
  )
}

type ActionDialogProps<Typed extends object, Output, Answer> = Pick<
  ComponentProps<typeof Dialog>,
  'open' | 'title' | 'description' | 'wide'
> &
  Omit<ActionFormProps<Typed, Output, Answer>, 'onCancel'> & { onClose: () => void }

/** The form of one call in a dialog: its fields, what is wrong with them, why the call failed, Cancel, and the button that sends it. */
export function ActionForm<Typed extends object, Output, Answer>({
  schema,
  start = {} as Typed,
  check,
  warn,
  send,
  failed,
  done,
  refreshes = [],
  onDone,
  onCancel,
  cancel,
  danger,
  focusSubmit,
  submit,
  children,
}: ActionFormProps<Typed, Output, Answer>) {
  const client = useQueryClient()
  const { form, sending, ...call } = useCallForm<Typed, Output, Answer>({
    schema,
    start,
    check,
    warn,
    send,
    onDone: (answer) => {
      const message = done?.(answer)
      if (message) toast(message)
      void refresh(client, ...refreshes)
      return onDone?.(answer)
    },
    failed: (error) => {
      // The screen was out of date.
      if (error instanceof ApiError && [404, 409].includes(error.status)) void refresh(client, ...refreshes)
      return typeof failed === 'string' ? undefined : failed(error)
    },
  })
  const { error } = sending
  const isAtField = error instanceof ApiError && error.errors.some(({ path }) => path in start)
  return (
    <Form onSubmit={call.submit}>
      {typeof children === 'function' ? children(call.field, form) : children}
      {error && typeof failed === 'string' && !isAtField && (
        <Notice tone="negative" title={messageOf(error, failed)} urgent />
      )}
      <FormActions
        variant={danger ? 'danger' : 'primary'}
        autoFocus={focusSubmit}
        loading={sending.isPending}
        aria-disabled={(danger && form.isUnfinished()) || undefined}
        cancel={cancel}
        onCancel={onCancel}
      >
        {submit}
      </FormActions>
    </Form>
  )
}

type ActualForm<Typed extends object, Output, Answer> = ReturnType<typeof useCallForm<Typed, Output, Answer>>

interface ActionFormProps<Typed extends object, Output, Answer>
  extends Omit<FormRules<Typed, Output>, 'start'> {
  start?: Typed
  send: (values: Output, typed: Typed) => Promise<Answer>
  /** The text for a failure without a message, shown in the form. A function makes a toast instead. */
  failed: string | ((error: Error) => ToastMessage | undefined)
  /** The toast after success. */
  done?: (answer: Answer) => ToastMessage | undefined
  /** Refetches what the call changed: after success, and after a failure because the screen was out of date. */
  refreshes?: readonly Route[]
  onDone?: (answer: Answer) => unknown
  onCancel: () => void
  /** The labels of the buttons. */
  submit: ReactNode
  cancel?: string
  /** The button is red once the form can be sent. */
  danger?: boolean
  /** For a form without fields: Enter sends it. */
  focusSubmit?: boolean
  /** What the form says, and its fields: `<TextField label="Name" {...field('name')} />`. */
  children?:
    | ReactNode
    | ((
        field: ActualForm<Typed, Output, Answer>['field'],
        form: ActualForm<Typed, Output, Answer>['form'],
      ) => ReactNode)
}
