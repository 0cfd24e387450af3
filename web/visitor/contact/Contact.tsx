import { useEffect, useEffectEvent, useState } from 'react'
import type { z } from 'zod'
import type { contactForm } from '#contract/chat.ts'
import { routes } from '#contract/routes.ts'
import { looksLikeCardNumber } from '#domain/card-number.ts'
import { CardNumberWarning } from '#web/chat/CardNumberWarning.tsx'
import { useCallForm } from '#web/forms/use-call-form.ts'
import type { useForm } from '#web/forms/use-form.ts'
import { Button } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { PageHeader, Panel } from '#web/kit/Panel.tsx'
import { useNavigate } from '#web/kit/router/index.ts'
import { TextArea, TextField } from '#web/kit/TextField.tsx'
import { call } from '#web/wire/call.ts'
import { useSession } from '#web/wire/session.ts'
import { pathTo } from '#web/words/paths.ts'
import { translate, useWords } from '#web/words/words.ts'
import { SupportDetails } from './SupportDetails.tsx'

export default function Contact() {
  const t = useWords()
  return (
    <div className="measure grid grid-cols-1 gap-8 py-8 md:py-12">
      <PageTitle>{t('contact.title')}</PageTitle>
      <PageHeader title={t('contact.title')}>{t('contact.intro')}</PageHeader>
      <div className="grid grid-cols-1 items-start gap-10 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-16">
        <ContactForm />
        <SupportDetails />
      </div>
    </div>
  )
}

function ContactForm() {
  const t = useWords()
  const { form, sending, field } = useContactForm()
  const [unconfirmed, setUnconfirmed] = useState<ContactInput>()

  function submit(input: ContactInput) {
    if (holdsCardNumber(input)) setUnconfirmed(input)
    else send(input)
  }
  function send(input: ContactInput) {
    // Removes the question at once, because a second press would start a second conversation.
    setUnconfirmed(undefined)
    sending.mutate(input)
  }
  function edit() {
    setUnconfirmed(undefined)
    form.focus('message')
  }

  return (
    <Panel aria-labelledby="write" className="grid gap-5">
      <h2 id="write" className="text-xl">
        {t('contact.form.title')}
      </h2>
      <Form onSubmit={form.handleSubmit(submit)} onChange={() => setUnconfirmed(undefined)}>
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField label={t('contact.form.firstName')} autoComplete="given-name" {...field('firstName')} />
          <TextField label={t('contact.form.lastName')} autoComplete="family-name" {...field('lastName')} />
        </div>
        <TextField label={t('contact.form.email')} type="email" autoComplete="email" {...field('email')} />
        <TextField label={t('contact.form.subject')} {...field('subject')} />
        <TextArea
          label={t('contact.form.message')}
          rows={6}
          hint={t('contact.form.messageHint')}
          {...field('message')}
        />
        {unconfirmed && <CardNumberWarning onEdit={edit} onSend={() => send(unconfirmed)} />}
        <Button type="submit" size="lg" loading={sending.isPending} className="sm:justify-self-start">
          {t(sending.isPending ? 'contact.form.sending' : 'contact.form.send')}
        </Button>
      </Form>
    </Panel>
  )
}

type ContactInput = z.input<typeof contactForm>

const nothing: ContactInput = { firstName: '', lastName: '', email: '', subject: '', message: '' }

/** The contact form. Sending it opens the conversation it starts. */
function useContactForm() {
  const navigate = useNavigate()
  const contact = useCallForm({
    schema: () => import('#contract/chat.ts').then((contract) => contract.contactForm),
    start: nothing,
    send: (body) => call(routes.startContact, { body }),
    onDone: ({ sessionId }) => void navigate(pathTo('contactChat', { session: sessionId })),
    // The spec fixes this text, whatever the server says.
    failed: () => {
      const t = translate()
      return { title: t('chat.failed'), description: t('chat.failedText') }
    },
  })
  useOwnName(contact.form)
  return contact
}

function holdsCardNumber({ subject, message }: ContactInput): boolean {
  return looksLikeCardNumber(subject) || looksLikeCardNumber(message)
}

type OwnForm = Pick<ReturnType<typeof useForm<ContactInput, ContactInput>>, 'reset' | 'isDirty'>

/** Fills in the name and email of a signed-in seller. */
function useOwnName({ reset, isDirty }: OwnForm): void {
  const { user } = useSession()
  const { firstName = '', lastName = '', email = '' } = user ?? {}
  const fillIn = useEffectEvent(() => {
    if (!isDirty()) reset({ ...nothing, firstName, lastName, email })
  })
  useEffect(() => {
    if (email) fillIn()
  }, [email])
}
