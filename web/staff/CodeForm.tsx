import { type ComponentProps, type ReactNode, useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { secondFactorCode } from '#contract/second-factor.ts'
import { Form } from '#web/kit/Form.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { ApiError } from '#web/wire/errors.ts'
import { schemaResolver, showAtFields, useFieldErrors } from '#web/wire/use-call-form.ts'

const schema = z.object({ code: secondFactorCode })

interface CodeFormProps extends ComponentProps<typeof TextField> {
  /** The answer to the previous code */
  refusal: Error | null
  onCode: (code: string) => void
  /** The buttons */
  children: ReactNode
}

/** Asks for a code from the app or a recovery code. */
export function CodeForm({ refusal, onCode, children, ...field }: CodeFormProps) {
  const form = useForm({ resolver: schemaResolver(schema), defaultValues: { code: '' } })
  const errorAt = useFieldErrors(form.formState.errors)
  const { getValues, setFocus, setError } = form
  useEffect(() => {
    if (!(refusal instanceof ApiError) || !refusal.errors.some(({ path }) => path === 'code')) return
    showAtFields({ getValues, setError }, refusal)
    // Selects a refused code, so that typing replaces it.
    setFocus('code', { shouldSelect: true })
  }, [refusal, getValues, setFocus, setError])
  return (
    <Form onSubmit={form.handleSubmit(({ code }) => onCode(code))}>
      <TextField
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        error={errorAt('code')}
        className="figures text-lg"
        {...field}
        {...form.register('code')}
      />
      {children}
    </Form>
  )
}
