import { useState } from 'react'
import { CardNumberWarning } from '../../chat/CardNumberWarning.tsx'
import { contactCopy } from '../../copy/contact.ts'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { TextArea, TextField } from '../../ui/TextField.tsx'
import { type ContactInput, holdsCardNumber, useContactForm } from './use-contact-form.ts'

export function ContactForm() {
  const { form, send, sending } = useContactForm()
  const [doubted, setDoubted] = useState<ContactInput>()
  const { errors } = form.formState
  const { title, messageHint, ...copy } = contactCopy.form

  function submit(input: ContactInput) {
    if (holdsCardNumber(input)) setDoubted(input)
    else send(input)
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
      <form
        // Without JavaScript nothing is sent; at least what was typed must not end up in the address.
        method="post"
        noValidate
        onSubmit={form.handleSubmit(submit)}
        onChange={() => setDoubted(undefined)}
        className="grid gap-5"
      >
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            label="First name"
            autoComplete="given-name"
            error={errors.firstName?.message}
            {...form.register('firstName')}
          />
          <TextField
            label="Last name"
            autoComplete="family-name"
            error={errors.lastName?.message}
            {...form.register('lastName')}
          />
        </div>
        <TextField
          label="Email"
          type="email"
          autoComplete="email"
          error={errors.email?.message}
          {...form.register('email')}
        />
        <TextField label="Subject" error={errors.subject?.message} {...form.register('subject')} />
        <TextArea
          label="Message"
          rows={6}
          hint={messageHint}
          error={errors.message?.message}
          {...form.register('message')}
        />
        {doubted && <CardNumberWarning onEdit={edit} onSend={() => send(doubted)} />}
        <Button type="submit" size="lg" loading={sending} className="sm:justify-self-start">
          {sending ? copy.sending : copy.send}
        </Button>
      </form>
    </Panel>
  )
}
