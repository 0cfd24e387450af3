import { contactCopy } from '../../copy/contact.ts'
import { site } from '../../copy/site.ts'
import { paths } from '../../paths.ts'
import { TextLink, textLinkClass } from '../../ui/Button.tsx'
import { Ledger, LedgerRow } from '../../ui/Panel.tsx'

/** How else to reach a person, and how long each way takes. */
export function SupportDetails() {
  const { support, times, selfHelp } = contactCopy
  return (
    <aside className="grid gap-8">
      <section aria-labelledby="support" className="grid gap-2">
        <h2 id="support" className="text-xl">
          {support.title}
        </h2>
        <Ledger className="border-line border-y">
          <LedgerRow name={support.email}>
            <a href={`mailto:${site.supportEmail}`} className={textLinkClass}>
              {site.supportEmail}
            </a>
          </LedgerRow>
          <LedgerRow name={support.phone}>
            <a href={`tel:${support.phoneNumber.replace(/\D/g, '')}`} className={textLinkClass}>
              {support.phoneNumber}
            </a>
          </LedgerRow>
        </Ledger>
      </section>
      <section aria-labelledby="times" className="grid gap-2">
        <h2 id="times" className="text-xl">
          {times.title}
        </h2>
        <Ledger className="border-line border-y">
          {times.rows.map(({ name, value }) => (
            <LedgerRow key={name} name={name}>
              {value}
            </LedgerRow>
          ))}
        </Ledger>
      </section>
      <p className="text-soft">
        {selfHelp.text} <TextLink to={paths.faq}>{selfHelp.faq}</TextLink> {selfHelp.and}{' '}
        <TextLink to={paths.help}>{selfHelp.help}</TextLink>.
      </p>
    </aside>
  )
}
