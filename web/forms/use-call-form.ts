import { useMutation } from '@tanstack/react-query'
import { type ToastMessage, toast } from '#web/kit/toast.ts'
import { ApiError, messageOf } from '../wire/errors.ts'
import { type FormRules, useForm } from './use-form.ts'

interface CallForm<Typed extends object, Output, Answer> extends FormRules<Typed, Output> {
  /** @param typed the form as it was typed, for amounts that the server parses again */
  send: (values: Output, typed: Typed) => Promise<Answer>
  onDone?: (answer: Answer) => void
  /** The toast of a failure, or undefined if the screen shows the failure itself. */
  failed: (error: Error) => ToastMessage | undefined
}

/** A form for one call. Errors from the schema or the server are shown at their field, and the first is focused. */
export function useCallForm<Typed extends object, Output, Answer>(of: CallForm<Typed, Output, Answer>) {
  const form = useForm<Typed, Output>(of)
  const sending = useMutation({
    mutationFn: (values: Output) => of.send(values, form.getTyped()),
    onSuccess: (answer) => of.onDone?.(answer),
    onError: (error) => {
      const message = of.failed(error)
      if (message) toast({ ...message, variant: 'destructive' })
      if (error instanceof ApiError) form.showProblems(error.errors.filter(({ path }) => path in of.start))
    },
  })
  const submit = form.handleSubmit((values) => {
    if (!sending.isPending) sending.mutate(values)
  })
  return { form, sending, submit, field: form.field }
}

/** For `failed`: a toast with the server's message, or the screen's own text if there is none. */
export function toastOf(title: string, fallback: string): (error: Error) => ToastMessage {
  return (error) => ({ title, description: messageOf(error, fallback) })
}

/** For `failed`: the same, but no toast if fields show what is wrong. */
export function toastUnlessAtField(title: string, fallback: string) {
  return (error: Error): ToastMessage | undefined =>
    error instanceof ApiError && error.errors.length > 0 ? undefined : toastOf(title, fallback)(error)
}
