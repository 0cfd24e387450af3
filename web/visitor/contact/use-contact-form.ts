import { useEffect } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import type { z } from 'zod'
import { contactForm } from '#contract/chat.ts'
import { routes } from '#contract/routes.ts'
import { looksLikeCardNumber } from '#domain/card-number.ts'
import { useNavigate } from '#web/kit/router/index.ts'
import { call } from '#web/wire/call.ts'
import { useSession } from '#web/wire/session.ts'
import { useCallForm } from '#web/wire/use-call-form.ts'
import { pathTo } from '#web/words/paths.ts'
import { supportChat } from '#web/words/support.ts'

export type ContactInput = z.input<typeof contactForm>

const nothing: ContactInput = { firstName: '', lastName: '', email: '', subject: '', message: '' }

/** The contact form; once it is sent, the conversation that it starts is where one goes on. */
export function useContactForm() {
  const navigate = useNavigate()
  const contact = useCallForm({
    schema: contactForm,
    start: nothing,
    send: (body) => call(routes.startContact, { body }),
    onDone: ({ sessionId }) => void navigate(pathTo('contactChat', { session: sessionId })),
    // Whatever the server says: the spec has a text of its own for it.
    failed: () => supportChat.failed,
  })
  useOwnName(contact.form)
  return contact
}

export function holdsCardNumber({ subject, message }: ContactInput): boolean {
  return looksLikeCardNumber(subject) || looksLikeCardNumber(message)
}

type ContactForm = Pick<UseFormReturn<ContactInput>, 'reset' | 'formState'>

/** Whoever is signed in needn't write who they are. */
function useOwnName({ reset, formState: { isDirty } }: ContactForm): void {
  const { user } = useSession()
  const { firstName = '', lastName = '', email = '' } = user ?? {}
  useEffect(() => {
    if (email && !isDirty) reset({ ...nothing, firstName, lastName, email })
  }, [reset, isDirty, firstName, lastName, email])
}
