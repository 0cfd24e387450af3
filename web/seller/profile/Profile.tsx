import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId } from 'react'
import { profile, type User } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { Button } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { PageHeader, Panel } from '#web/kit/Panel.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { sessionKey, useSession } from '#web/wire/session.ts'
import { useCallForm } from '#web/wire/use-call-form.ts'
import { SellerNav } from '../SellerNav.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { PaymentMethods } from './PaymentMethods.tsx'
import { Sessions } from './Sessions.tsx'

export default function Profile() {
  const { user } = useSession()
  if (!user) return null
  return (
    <div className="measure grid grid-cols-1 gap-8 py-8 md:py-12">
      <PageTitle>Profile Settings</PageTitle>
      <PageHeader title="Profile Settings" />
      <SellerNav />
      <div className="grid grid-cols-1 gap-10 md:gap-12">
        <SettingsSection title="Personal Information" intro={`Your username is ${user.username}.`}>
          <div className="grid gap-6">
            {!user.verified && <ConfirmEmailNotice email={user.email} />}
            <PersonalForm user={user} />
          </div>
        </SettingsSection>
        <SettingsSection
          title="Payment Methods"
          intro="Where we send your money. Account numbers are encrypted, and we email you whenever a method is added or removed."
        >
          <PaymentMethods />
        </SettingsSection>
        <SettingsSection title="Password" intro="Changing it signs you out everywhere else.">
          <PasswordForm email={user.email} />
        </SettingsSection>
        <SettingsSection
          title="Sessions"
          intro="Where you are signed in. If you do not recognize one, sign out everywhere else and change your password."
        >
          <Sessions />
        </SettingsSection>
      </div>
    </div>
  )
}

/** Shown until the email address is confirmed. */
function ConfirmEmailNotice({ email }: { email: string }) {
  const sending = useMutation({
    mutationFn: () => call(routes.sendConfirmation, {}),
    onSuccess: () => toast({ title: 'Link Sent', description: `Check the inbox of ${email}.` }),
    onError: (error) =>
      toast({
        title: 'Error',
        description: messageOf(error, 'The link could not be sent. Please try again.'),
        variant: 'destructive',
      }),
  })
  return (
    <Notice
      title="Please confirm your email"
      action={
        <Button variant="secondary" size="sm" loading={sending.isPending} onClick={() => sending.mutate()}>
          {sending.isPending ? 'Sending...' : 'Send the link again'}
        </Button>
      }
    >
      <span className="wrap-anywhere">We emailed a link to {email}.</span> You can sell cards in the meantime.
      If you reset your password before you confirm, we remove your saved payment methods.
    </Notice>
  )
}

const fieldsOf = ({ firstName, lastName, email }: User) => ({ firstName, lastName, email })

function PersonalForm({ user }: { user: User }) {
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
          'You will sign in with this address. We email it a link to confirm, and email your old address a link to undo the change.'
        }
        {...field('email')}
      />
      <Button type="submit" loading={sending.isPending} className="sm:justify-self-start">
        {sending.isPending ? 'Saving...' : 'Save Changes'}
      </Button>
    </Form>
  )
}

/** Title and introduction on the left, the form on the right; on phones, below each other. */
function SettingsSection({ title, intro, children }: SettingsSectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[18rem_minmax(0,1fr)] lg:gap-12"
    >
      <header className="grid gap-1">
        <h2 id={id} className="text-xl">
          {title}
        </h2>
        <p className="max-w-prose text-soft text-sm wrap-anywhere">{intro}</p>
      </header>
      <Panel>{children}</Panel>
    </section>
  )
}

interface SettingsSectionProps {
  title: string
  intro: string
  children: ReactNode
}
