import { useQueryClient } from '@tanstack/react-query'
import type { User } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { toastOf, useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { SettingsSection } from '#web/kit/SettingsSection.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { sessionKey, useSession } from '#web/wire/session.ts'
import { useWords } from '#web/words/words.ts'
import { AccountPage } from '../AccountPage.tsx'
import { ConfirmEmailNotice } from '../ConfirmEmailNotice.tsx'
import { PaymentMethods } from './PaymentMethods.tsx'
import { TaxDetails } from './TaxDetails.tsx'

export default function Profile() {
  const t = useWords()
  const { user } = useSession()
  if (!user) return null
  return (
    <AccountPage title={t('profile.title')}>
      <div className="grid grid-cols-1 gap-10 md:gap-12">
        <SettingsSection
          title={t('profile.personal.title')}
          intro={t('profile.personal.intro', { username: user.username })}
        >
          {!user.verified && <ConfirmEmailNotice user={user} inProfile />}
          <PersonalForm user={user} />
        </SettingsSection>
        <SettingsSection title={t('profile.methods.title')} intro={t('profile.methods.intro')}>
          <PaymentMethods />
        </SettingsSection>
        <TaxDetails />
      </div>
    </AccountPage>
  )
}

const fieldsOf = ({ firstName, lastName, email }: User) => ({ firstName, lastName, email })

function PersonalForm({ user }: { user: User }) {
  const t = useWords()
  const client = useQueryClient()
  const { form, sending, submit, field } = useCallForm({
    schema: () => import('#contract/accounts.ts').then((contract) => contract.profile),
    start: fieldsOf(user),
    send: (body) => call(routes.updateProfile, { body }),
    onDone: ({ user: updated }) => {
      client.setQueryData(sessionKey, updated)
      form.reset(fieldsOf(updated))
      toast({ title: t('profile.personal.saved'), description: t('profile.personal.savedText') })
    },
    failed: toastOf(t('profile.updateFailed'), t('profile.personal.failedText')),
  })
  const newEmail = form.values.email.trim().toLowerCase() !== user.email.toLowerCase()

  return (
    <Form onSubmit={submit}>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField
          label={t('profile.personal.firstName')}
          autoComplete="given-name"
          {...field('firstName')}
        />
        <TextField label={t('profile.personal.lastName')} autoComplete="family-name" {...field('lastName')} />
      </div>
      <TextField
        label={t('profile.personal.email')}
        type="email"
        autoComplete="email"
        hint={newEmail && t('profile.personal.emailHint')}
        {...field('email')}
      />
      <Button type="submit" loading={sending.isPending} className="sm:justify-self-start">
        {t(sending.isPending ? 'profile.saving' : 'profile.personal.save')}
      </Button>
    </Form>
  )
}
