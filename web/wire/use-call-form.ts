import { useMutation } from '@tanstack/react-query'
import { type DefaultValues, type FieldValues, type Path, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { schemaResolver } from '#web/kit/schema-resolver.ts'
import { type ToastMessage, toast } from '#web/kit/toast.ts'
import { showAtFields } from './field-errors.ts'

interface CallForm<Input extends FieldValues, Output, Answer> {
  /** What may be sent; its texts stand at the fields. */
  schema: z.ZodType<Output, Input>
  /** What stands in the fields at first. */
  start: DefaultValues<Input>
  send: (values: Output) => Promise<Answer>
  onDone?: (answer: Answer) => void
  /** The toast of a failure; none where the screen says it in another way. */
  failed: (error: Error) => ToastMessage | undefined
}

/**
 * A form that one call takes. What is wrong with a field, by the schema or by the server, stands at it, and the first
 * such field is focused.
 */
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
    /** What the control of a field is given. */
    field: (name: Path<Input>) => ({ ...form.register(name), error: messageOf(errors, name) }),
  }
}

function messageOf(errors: object, name: string): string | undefined {
  return (errors as Record<string, { message?: string } | undefined>)[name]?.message
}
