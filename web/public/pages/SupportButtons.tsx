import { Mail, MessageCircle } from 'lucide-react'
import { helpCopy } from '../../copy/help.ts'
import { support } from '../../copy/support.ts'
import { paths } from '../../paths.ts'
import { ButtonLink, buttonClass } from '../../ui/Button.tsx'

export function SupportButtons() {
  const { contactSupport, email } = helpCopy.contact
  return (
    <div className="grid gap-3 sm:flex sm:flex-wrap">
      <ButtonLink to={paths.contact} icon={<MessageCircle aria-hidden="true" className="size-5" />}>
        {contactSupport}
      </ButtonLink>
      <a
        href={support.emailAddress ? `mailto:${support.emailAddress}` : paths.contact}
        className={buttonClass({ variant: 'secondary' })}
      >
        <Mail aria-hidden="true" className="size-5" />
        {email}
      </a>
    </div>
  )
}
