import { PageTitle } from '#web/kit/PageTitle.tsx'
import { PageHeader } from '#web/kit/Panel.tsx'
import { contactCopy } from '#web/words/contact.ts'
import { ContactForm } from './ContactForm.tsx'
import { SupportDetails } from './SupportDetails.tsx'

export default function Contact() {
  const { title, intro } = contactCopy
  return (
    <div className="measure grid grid-cols-1 gap-8 py-8 md:py-12">
      <PageTitle>{title}</PageTitle>
      <PageHeader title={title}>{intro}</PageHeader>
      <div className="grid grid-cols-1 items-start gap-10 lg:grid-cols-[minmax(0,1fr)_22rem] lg:gap-16">
        <ContactForm />
        <SupportDetails />
      </div>
    </div>
  )
}
