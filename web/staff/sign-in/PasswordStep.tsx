import { useForm } from 'react-hook-form'
import { adminSignIn } from '#contract/accounts.ts'
import { Button } from '#web/kit/Button.tsx'
import { Form, schemaResolver } from '#web/kit/Form.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import type { Credentials } from './use-sign-in.ts'

interface PasswordStepProps {
  pending: boolean
  onSubmit: (credentials: Credentials) => void
}

export function PasswordStep({ pending, onSubmit }: PasswordStepProps) {
  const form = useForm<Credentials>({
    resolver: schemaResolver(adminSignIn),
    defaultValues: { username: '', password: '' },
  })
  const { errors } = form.formState
  return (
    <Form onSubmit={form.handleSubmit((fields) => onSubmit(fields))}>
      <TextField
        label="Admin Username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.username?.message}
        {...form.register('username')}
      />
      <TextField
        label="Admin Password"
        type="password"
        autoComplete="current-password"
        error={errors.password?.message}
        {...form.register('password')}
      />
      <Button type="submit" size="lg" wide loading={pending}>
        Access Admin Panel
      </Button>
    </Form>
  )
}
