import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useForm } from 'react-hook-form'
import { z } from 'zod'
import type { Answer, Route } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { secondFactorCode } from '#contract/second-factor.ts'
import { Button, type ButtonVariant } from '#web/kit/Button.tsx'
import { Form, schemaResolver } from '#web/kit/Form.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { type CallOptions, call } from '#web/wire/call.ts'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'

const schema = z.object({ code: secondFactorCode })

interface CodeFormProps {
  hint: string
  submit: string
  variant?: ButtonVariant | undefined
  pending: boolean
  /** The answer to the previous code */
  refusal: Error | null
  onCode: (code: string) => void
  onCancel: () => void
  children?: ReactNode
}

/** Asks for a code from the app or a recovery code. */
export function CodeForm({ hint, submit, variant, pending, refusal, onCode, onCancel }: CodeFormProps) {
  const form = useForm({ resolver: schemaResolver(schema), defaultValues: { code: '' } })
  const refused = refusal instanceof ApiError ? refusal.errors.find(({ path }) => path === 'code') : undefined
  return (
    <Form onSubmit={form.handleSubmit(({ code }) => onCode(code))} className="grid max-w-md gap-5">
      <TextField
        label="Code"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        hint={hint}
        error={form.formState.errors.code?.message ?? refused?.message}
        className="figures text-lg"
        {...form.register('code')}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" loading={pending} variant={variant}>
          {submit}
        </Button>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </Form>
  )
}

/** A call that changes the second factor. Refetches its state, also after a failure. */
export function useFactorCall<R extends Route>(
  route: R,
  { failure, onDone }: { failure: string; onDone: (answer: Answer<R>) => void },
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (options: CallOptions<R>) => call(route, options),
    onSuccess: onDone,
    onError: (error) =>
      toast({
        title: failure,
        description: messageOf(error, 'Please try again.'),
        variant: 'destructive',
      }),
    onSettled: () => refresh(client, routes.secondFactor, routes.auditLog),
  })
}
