import { type ReactNode, useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import { secondFactorCode } from '#contract/second-factor.ts'
import { Button } from '#web/kit/Button.tsx'
import { Form, schemaResolver } from '#web/kit/Form.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { ApiError } from '#web/wire/errors.ts'

const schema = z.object({ code: secondFactorCode })

interface CodeStepProps {
  pending: boolean
  /** The answer to the previous code */
  refusal: Error | null
  onCode: (code: string) => void
  onBack: () => void
  children: ReactNode
}

/** The second step of signing in. */
export function CodeStep({ pending, refusal, onCode, onBack, children }: CodeStepProps) {
  const form = useForm({ resolver: schemaResolver(schema), defaultValues: { code: '' } })
  const { setFocus, setError } = form
  useEffect(() => {
    // Selects a refused code, so that typing replaces it.
    setFocus('code', { shouldSelect: true })
    const refused =
      refusal instanceof ApiError ? refusal.errors.find(({ path }) => path === 'code') : undefined
    if (refused) setError('code', { message: refused.message })
  }, [refusal, setFocus, setError])
  return (
    <Form onSubmit={form.handleSubmit(({ code }) => onCode(code))}>
      <p>{children}</p>
      <TextField
        label="Authentication Code"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        hint="Six digits, or one of your recovery codes"
        error={form.formState.errors.code?.message}
        className="figures text-lg"
        {...form.register('code')}
      />
      <Button type="submit" size="lg" wide loading={pending}>
        Access Admin Panel
      </Button>
      <Button variant="quiet" onClick={onBack}>
        Back
      </Button>
    </Form>
  )
}
