import { type ComponentProps, type ReactNode, useEffect, useEffectEvent } from 'react'
import { z } from 'zod'
import { secondFactorCode } from '#contract/second-factor.ts'
import { useForm } from '#web/forms/use-form.ts'
import { Form } from '#web/kit/Form.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { ApiError } from '#web/wire/errors.ts'

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
  const form = useForm({ schema, start: { code: '' } })
  const showRefusal = useEffectEvent(({ errors }: ApiError) => {
    form.showProblems(errors.filter(({ path }) => path === 'code'))
    // Selects a refused code, so that typing replaces it.
    form.focus('code', { select: true })
  })
  useEffect(() => {
    if (refusal instanceof ApiError && refusal.errors.some(({ path }) => path === 'code'))
      showRefusal(refusal)
  }, [refusal])
  return (
    <Form onSubmit={form.handleSubmit(({ code }) => onCode(code))}>
      <TextField
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        className="figures text-lg"
        {...field}
        {...form.field('code')}
      />
      {children}
    </Form>
  )
}
