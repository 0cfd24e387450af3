import { useMutation } from '@tanstack/react-query'
import { type DefaultValues, type FieldValues, type Path, type UseFormReturn, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { schemaResolver } from '#web/kit/Form.tsx'
import { type ToastMessage, toast } from '#web/kit/toast.ts'
import { ApiError } from './errors.ts'

interface CallForm<Input extends FieldValues, Output, Answer> {
  schema: z.ZodType<Output, Input>
  start: DefaultValues<Input>
  send: (values: Output) => Promise<Answer>
  onDone?: (answer: Answer) => void
  /** The toast of a failure, or undefined if the screen shows the failure itself. */
  failed: (error: Error) => ToastMessage | undefined
}

/** A form for one call. Errors from the schema or the server are shown at their field, and the first is focused. */
export function useCallForm<Input extends FieldValues, Output, Answer>(of: CallForm<Input, Output, Answer>) {
  const form = useForm<Input, unknown, Output>({
    resolver: schemaResolver(of.schema),
    defaultValues: of.start,
  })
  const { errors } = form.formState
  const sending = useMutation({
    mutationFn: of.send,
    onSuccess: (answer) => of.onDone?.(answer),
    onError: (error) => {
      const message = of.failed(error)
      if (message) toast({ ...message, variant: 'destructive' })
      showAtFields(form, error)
    },
  })
  return {
    form,
    sending,
    submit: form.handleSubmit((values) => sending.mutate(values)),
    /** The props of a field's control. */
    field: (name: Path<Input>) => ({ ...form.register(name), error: messageOf(errors, name) }),
  }
}

function messageOf(errors: object, name: string): string | undefined {
  return (errors as Record<string, { message?: string } | undefined>)[name]?.message
}

/** Shows what only the server can find wrong, such as a taken email address, at its field. */
export function showAtFields<Values extends FieldValues>(
  form: Pick<UseFormReturn<Values>, 'getValues' | 'setError'>,
  error: Error,
): void {
  if (!(error instanceof ApiError)) return
  const known = form.getValues()
  for (const { path, message } of error.errors) {
    if (path in known) form.setError(path as Path<Values>, { message }, { shouldFocus: true })
  }
}
