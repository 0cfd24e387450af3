import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useForm } from 'react-hook-form'
import type { z } from 'zod'
import { profile, type User } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { call } from '../../api/call.ts'
import { messageOf } from '../../api/errors.ts'
import { sessionKey } from '../../api/session.ts'
import { Button } from '../../ui/Button.tsx'
import { schemaResolver } from '../../ui/schema-resolver.ts'
import { TextField } from '../../ui/TextField.tsx'
import { toast } from '../../ui/toast.ts'
import { showAtFields } from './field-errors.ts'

type Fields = z.input<typeof profile>

const fieldsOf = ({ firstName, lastName, email }: User): Fields => ({ firstName, lastName, email })

export function PersonalForm({ user }: { user: User }) {
  const client = useQueryClient()
  const form = useForm<Fields>({ resolver: schemaResolver(profile), defaultValues: fieldsOf(user) })
  const { errors } = form.formState
  const newEmail = form.watch('email').trim().toLowerCase() !== user.email.toLowerCase()

  const update = useMutation({
    mutationFn: (body: Fields) => call(routes.updateProfile, { body }),
    onSuccess: ({ user: updated }) => {
      client.setQueryData(sessionKey, updated)
      form.reset(fieldsOf(updated))
      toast({ title: 'Profile Updated', description: 'Your profile has been updated successfully.' })
    },
    onError: (error) => {
      toast({
        title: 'Update Failed',
        description: messageOf(error, 'Failed to update profile'),
        variant: 'destructive',
      })
      showAtFields(form, error)
    },
  })

  return (
    <form noValidate onSubmit={form.handleSubmit((body) => update.mutate(body))} className="grid gap-5">
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label="First name"
          autoComplete="given-name"
          error={errors.firstName?.message}
          {...form.register('firstName')}
        />
        <TextField
          label="Last name"
          autoComplete="family-name"
          error={errors.lastName?.message}
          {...form.register('lastName')}
        />
      </div>
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        hint={
          newEmail &&
          'You sign in with it from then on. We also write to your old address, which can undo it.'
        }
        error={errors.email?.message}
        {...form.register('email')}
      />
      <Button type="submit" loading={update.isPending} className="sm:justify-self-start">
        {update.isPending ? 'Saving...' : 'Save Changes'}
      </Button>
    </form>
  )
}
