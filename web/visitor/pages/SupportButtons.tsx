import { Mail, MessageCircle } from 'lucide-react'
import { ButtonLink, buttonClass } from '#web/kit/Button.tsx'
import { helpCopy } from '#web/words/help.ts'
import { paths } from '#web/words/paths.ts'
import { support } from '#web/words/support.ts'

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
