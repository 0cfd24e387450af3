import { useMutation } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { adminSignIn } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { call } from '../../api/call.ts'
import { messageOf } from '../../api/errors.ts'
import { Button } from '../../ui/Button.tsx'
import { schemaResolver } from '../../ui/schema-resolver.ts'
import { TextField } from '../../ui/TextField.tsx'
import { toast } from '../../ui/toast.ts'
import { useKeepAdministrator } from '../session.ts'

type Fields = z.input<typeof adminSignIn>

export function SignInForm() {
  const keepAdministrator = useKeepAdministrator()
  const form = useForm<Fields>({
    resolver: schemaResolver(adminSignIn),
    defaultValues: { username: '', password: '' },
  })
  const { errors } = form.formState

  const login = useMutation({
    mutationFn: (body: Fields) => call(routes.adminLogin, { body }),
    onSuccess: (admin) => {
      toast({ title: 'Login Successful', description: 'Welcome to the admin dashboard.' })
      // Being signed in is what leads on from this screen.
      keepAdministrator(admin)
    },
    onError: (error) =>
      toast({
        title: 'Login Failed',
        description: messageOf(error, 'Invalid admin credentials'),
        variant: 'destructive',
      }),
  })

  return (
    <form noValidate onSubmit={form.handleSubmit((body) => login.mutate(body))} className="grid gap-5">
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
      <Button type="submit" size="lg" wide loading={login.isPending}>
        Access Admin Panel
      </Button>
    </form>
  )
}
