import { TextLink, textLinkClass } from '#web/kit/Button.tsx'
import { Ledger, LedgerRow } from '#web/kit/Panel.tsx'
import { contactCopy } from '#web/words/contact.ts'
import { paths } from '#web/words/paths.ts'
import { support } from '#web/words/support.ts'

/** Other ways to reach us, and our response times. */
export function SupportDetails() {
  const { support: copy, times, selfHelp } = contactCopy
  const { emailAddress, phoneNumber } = support
  return (
    <aside className="grid gap-8">
      {(emailAddress || phoneNumber) && (
        <section aria-labelledby="support" className="grid gap-2">
          <h2 id="support" className="text-xl">
            {copy.title}
          </h2>
          <Ledger className="border-line border-y">
            {emailAddress && (
              <LedgerRow name={copy.email}>
                <a href={`mailto:${emailAddress}`} className={textLinkClass}>
                  {emailAddress}
                </a>
              </LedgerRow>
            )}
            {phoneNumber && (
              <LedgerRow name={copy.phone}>
                <a href={`tel:${phoneNumber.replace(/[^+\d]/g, '')}`} className={textLinkClass}>
                  {phoneNumber}
                </a>
              </LedgerRow>
            )}
          </Ledger>
        </section>
      )}
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
