import { useMutation } from '@tanstack/react-query'
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  type Resolver,
  type UseFormReturn,
  useForm,
} from 'react-hook-form'
import type { z } from 'zod'
import { fieldText, parse } from '#contract/field-errors.ts'
import { type ToastMessage, toast } from '#web/kit/toast.ts'
import { useWords } from '#web/words/words.ts'
import type { Values } from '#words/translate.ts'
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
  const errorAt = useFieldErrors(form.formState.errors)
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
    field: (name: Path<Input>) => ({ ...form.register(name), error: errorAt(name) }),
  }
}

/** An error as a form keeps it. Its text is looked up when it is rendered, so that it follows the language. */
interface CodedError {
  readonly type: string
  readonly params?: Values | undefined
  /** The server's text, for codes that the page has no text for. */
  readonly message?: string
}

/** Validates a form with a schema of the contract. Each field gets the first error found for it. */
export function schemaResolver<Input extends FieldValues, Output>(
  schema: z.ZodType<Output, Input>,
): Resolver<Input, unknown, Output> {
  return (values) => {
    const { data, problems } = parse(schema, values)
    if (!problems) return { values: data, errors: {} }
    const errors = problems.map(({ path, code, params }): [string, CodedError] => [
      path,
      { type: code, params },
    ])
    return { values: {}, errors: Object.fromEntries(errors) as FieldErrors<Input> }
  }
}

/** The texts of a form's errors, in the language of the page. */
export function useFieldErrors(errors: object): (name: string) => string | undefined {
  const t = useWords()
  return (name) => {
    const error = (errors as Record<string, CodedError | undefined>)[name]
    if (!error) return undefined
    return fieldText(t, { code: error.type, params: error.params }) ?? error.message ?? t('fields.invalid')
  }
}

/** Shows what only the server can find wrong, such as a taken email address, at its field. */
export function showAtFields<Input extends FieldValues>(
  form: Pick<UseFormReturn<Input>, 'getValues' | 'setError'>,
  error: Error,
): void {
  if (!(error instanceof ApiError)) return
  const known = form.getValues()
  for (const { path, code, message, params } of error.errors) {
    const coded: CodedError = { type: code, message, params }
    if (path in known) form.setError(path as Path<Input>, coded, { shouldFocus: true })
  }
}
