import { PageTitle } from '#web/kit/PageTitle.tsx'
import { PageHeader } from '#web/kit/Panel.tsx'
import { useSession } from '#web/wire/session.ts'
import { SellerNav } from '../SellerNav.tsx'
import { ConfirmEmailNotice } from './ConfirmEmailNotice.tsx'
import { PasswordForm } from './PasswordForm.tsx'
import { PaymentMethods } from './PaymentMethods.tsx'
import { PersonalForm } from './PersonalForm.tsx'
import { Sessions } from './Sessions.tsx'
import { SettingsSection } from './SettingsSection.tsx'

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
          intro="Where we send your money. Account numbers are encrypted, and we mail you whenever one is added or removed."
        >
          <PaymentMethods />
        </SettingsSection>
        <SettingsSection title="Password" intro="Changing it signs you out everywhere but here.">
          <PasswordForm email={user.email} />
        </SettingsSection>
        <SettingsSection
          title="Sessions"
          intro="Where you are signed in. If you do not know one of them, sign out everywhere else and change your password."
        >
          <Sessions />
        </SettingsSection>
      </div>
    </div>
  )
}
