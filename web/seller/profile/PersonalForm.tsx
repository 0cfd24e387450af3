import { useQueryClient } from '@tanstack/react-query'
import { profile, type User } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { Button } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { sessionKey } from '#web/wire/session.ts'
import { useCallForm } from '#web/wire/use-call-form.ts'

const fieldsOf = ({ firstName, lastName, email }: User) => ({ firstName, lastName, email })

export function PersonalForm({ user }: { user: User }) {
  const client = useQueryClient()
  const { form, sending, submit, field } = useCallForm({
    schema: profile,
    start: fieldsOf(user),
    send: (body) => call(routes.updateProfile, { body }),
    onDone: ({ user: updated }) => {
      client.setQueryData(sessionKey, updated)
      form.reset(fieldsOf(updated))
      toast({ title: 'Profile Updated', description: 'Your profile has been updated successfully.' })
    },
    failed: (error) => ({
      title: 'Update Failed',
      description: messageOf(error, 'Failed to update profile'),
    }),
  })
  const newEmail = form.watch('email').trim().toLowerCase() !== user.email.toLowerCase()

  return (
    <Form onSubmit={submit}>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField label="First name" autoComplete="given-name" {...field('firstName')} />
        <TextField label="Last name" autoComplete="family-name" {...field('lastName')} />
      </div>
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        hint={
          newEmail &&
          'You sign in with it from then on. We mail a link to it that confirms it, and one to your old address that undoes it.'
        }
        {...field('email')}
      />
      <Button type="submit" loading={sending.isPending} className="sm:justify-self-start">
        {sending.isPending ? 'Saving...' : 'Save Changes'}
      </Button>
    </Form>
  )
}
