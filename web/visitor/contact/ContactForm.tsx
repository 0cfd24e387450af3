import { useState } from 'react'
import { CardNumberWarning } from '#web/chat/CardNumberWarning.tsx'
import { Button } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { Panel } from '#web/kit/Panel.tsx'
import { TextArea, TextField } from '#web/kit/TextField.tsx'
import { contactCopy } from '#web/words/contact.ts'
import { type ContactInput, holdsCardNumber, useContactForm } from './use-contact-form.ts'

export function ContactForm() {
  const { form, sending, field } = useContactForm()
  const [doubted, setDoubted] = useState<ContactInput>()
  const { title, messageHint, ...copy } = contactCopy.form

  function submit(input: ContactInput) {
    if (holdsCardNumber(input)) setDoubted(input)
    else send(input)
  }
  function send(input: ContactInput) {
    // The question goes with its answer: pressed twice, it would begin two conversations.
    setDoubted(undefined)
    sending.mutate(input)
  }
  function edit() {
    setDoubted(undefined)
    form.setFocus('message')
  }

  return (
    <Panel aria-labelledby="write" className="grid gap-5">
      <h2 id="write" className="text-xl">
        {title}
      </h2>
      <Form onSubmit={form.handleSubmit(submit)} onChange={() => setDoubted(undefined)}>
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField label="First name" autoComplete="given-name" {...field('firstName')} />
          <TextField label="Last name" autoComplete="family-name" {...field('lastName')} />
        </div>
        <TextField label="Email" type="email" autoComplete="email" {...field('email')} />
        <TextField label="Subject" {...field('subject')} />
        <TextArea label="Message" rows={6} hint={messageHint} {...field('message')} />
        {doubted && <CardNumberWarning onEdit={edit} onSend={() => send(doubted)} />}
        <Button type="submit" size="lg" loading={sending.isPending} className="sm:justify-self-start">
          {sending.isPending ? copy.sending : copy.send}
        </Button>
      </Form>
    </Panel>
  )
}
