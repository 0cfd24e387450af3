import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { type UseFormReturn, useForm } from 'react-hook-form'
import type { z } from 'zod'
import { contactForm } from '#contract/chat.ts'
import { routes } from '#contract/routes.ts'
import { looksLikeCardNumber } from '#domain/card-like.ts'
import { call } from '../../api/call.ts'
import { ApiError } from '../../api/errors.ts'
import { useSession } from '../../api/session.ts'
import { contactCopy } from '../../copy/contact.ts'
import { contactChatPath } from '../../paths.ts'
import { useNavigate } from '../../router/index.ts'
import { schemaResolver } from '../../ui/schema-resolver.ts'
import { toast } from '../../ui/toast.ts'

export type ContactInput = z.input<typeof contactForm>

const nothing: ContactInput = { firstName: '', lastName: '', email: '', subject: '', message: '' }

/** The contact form; once it is sent, the conversation that it starts is where one goes on. */
export function useContactForm() {
  const navigate = useNavigate()
  const form = useForm<ContactInput>({ resolver: schemaResolver(contactForm), defaultValues: nothing })
  useOwnName(form)
  const sending = useMutation({
    mutationFn: (body: ContactInput) => call(routes.startContact, { body }),
    onSuccess: ({ sessionId }) => navigate(contactChatPath(sessionId)),
    onError: (error) => {
      toast({ ...contactCopy.failed, variant: 'destructive' })
      showAtFields(form, error)
    },
  })
  return { form, send: sending.mutate, sending: sending.isPending }
}

export function holdsCardNumber({ subject, message }: ContactInput): boolean {
  return looksLikeCardNumber(subject) || looksLikeCardNumber(message)
}

/** Whoever is signed in needn't write who they are. */
function useOwnName({ reset, formState: { isDirty } }: UseFormReturn<ContactInput>): void {
  const { user } = useSession()
  const { firstName = '', lastName = '', email = '' } = user ?? {}
  useEffect(() => {
    if (email && !isDirty) reset({ ...nothing, firstName, lastName, email })
  }, [reset, isDirty, firstName, lastName, email])
}

/** What only the server found wrong belongs at its field too. */
function showAtFields(form: UseFormReturn<ContactInput>, error: Error): void {
  if (!(error instanceof ApiError)) return
  for (const { path, message } of error.errors) {
    if (path in nothing) form.setError(path as keyof ContactInput, { message }, { shouldFocus: true })
  }
}
