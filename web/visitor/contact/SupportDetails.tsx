import { OpeningState } from '#web/chat/OpeningState.tsx'
import { TextLink, textLinkClass } from '#web/kit/Button.tsx'
import { Ledger, LedgerRow } from '#web/kit/Panel.tsx'
import { paths } from '#web/words/paths.ts'
import { Rich } from '#web/words/Rich.tsx'
import { shopBrand } from '#web/words/shop-brand.ts'
import { useWords } from '#web/words/words.ts'

/** Other ways to reach us, and our response times. */
export function SupportDetails() {
  const t = useWords()
  const { email, phone, hours } = shopBrand.support
  return (
    <aside className="grid gap-8">
      {(email || phone) && (
        <section aria-labelledby="support" className="grid gap-2">
          <h2 id="support" className="text-xl">
            {t('contact.details.title')}
          </h2>
          <Ledger className="border-line border-y">
            {email && (
              <LedgerRow name={t('contact.details.email')} long>
                <a href={`mailto:${email}`} className={textLinkClass}>
                  {email}
                </a>
              </LedgerRow>
            )}
            {phone && (
              <LedgerRow name={t('contact.details.phone')}>
                <a href={`tel:${phone.replace(/[^+\d]/g, '')}`} className={textLinkClass}>
                  {phone}
                </a>
              </LedgerRow>
            )}
          </Ledger>
        </section>
      )}
      <section aria-labelledby="times" className="grid gap-2">
        <h2 id="times" className="text-xl">
          {t('contact.times.title')}
        </h2>
        <Ledger className="border-line border-y">
          <LedgerRow name={t('contact.times.chat')}>{t('support.time.chat')}</LedgerRow>
          <LedgerRow name={t('contact.times.email')}>{t('support.time.email')}</LedgerRow>
          <LedgerRow name={t(phone ? 'contact.times.hours' : 'contact.times.chatHours')} long>
            {hours[t.locale]}
          </LedgerRow>
        </Ledger>
        <OpeningState />
      </section>
      <p className="text-balance text-soft">
        <Rich
          id="contact.selfHelp"
          tags={{
            faq: (text) => <TextLink to={paths.faq}>{text}</TextLink>,
            help: (text) => <TextLink to={paths.help}>{text}</TextLink>,
          }}
        />
      </p>
    </aside>
  )
}
