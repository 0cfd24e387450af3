import { Logo } from '#web/kit/Logo.tsx'
import { Link, useLocation } from '#web/kit/router/index.ts'
import { paths } from '#web/words/paths.ts'
import { shopBrand } from '#web/words/shop-brand.ts'
import { useWords } from '#web/words/words.ts'
import type { Key } from '#words/keys.ts'
import { LanguageLink } from './LanguageLink.tsx'

interface FooterLink {
  to: string
  label: Key
}

const columns: readonly { title: Key; links: readonly FooterLink[] }[] = [
  {
    title: 'site.footer.services',
    links: [
      { to: paths.getQuote, label: 'site.footer.getQuote' },
      { to: paths.transactions, label: 'site.footer.transactions' },
      { to: paths.processing, label: 'site.footer.processing' },
    ],
  },
  {
    title: 'site.footer.support',
    links: [
      { to: paths.help, label: 'site.footer.help' },
      { to: paths.contact, label: 'site.footer.contact' },
      { to: paths.faq, label: 'site.footer.faq' },
    ],
  },
  {
    title: 'site.footer.legal',
    links: [
      { to: paths.terms, label: 'site.footer.terms' },
      { to: paths.privacy, label: 'site.footer.privacy' },
      { to: paths.security, label: 'site.footer.security' },
    ],
  },
]

const bottomLinks: readonly FooterLink[] = [
  { to: paths.quote, label: 'site.footer.sell' },
  { to: paths.help, label: 'site.footer.status' },
  { to: paths.security, label: 'site.footer.trust' },
]

const linkClass = 'inline-flex min-h-11 items-center text-soft hover:text-ink hover:underline md:min-h-9'

export function Footer() {
  const t = useWords()
  const { company } = shopBrand
  return (
    <footer className="mt-14 border-line md:mt-20 border-t bg-sunken">
      <div className="measure grid gap-10 py-12 md:grid-cols-3 lg:grid-cols-[2fr_1fr_1fr_1fr]">
        <div className="grid max-w-sm content-start gap-3 md:max-lg:col-span-3">
          <Logo />
          <p className="text-soft">{t('site.blurb')}</p>
        </div>
        {/* On phones two columns, with the last lists across both. */}
        <div className="contents max-md:grid max-md:grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] max-md:gap-8">
          {columns.map((column) => (
            <nav key={column.title} aria-label={t(column.title)} className="group max-md:last:col-span-full">
              <h2 className="mb-1 font-semibold text-sm">{t(column.title)}</h2>
              <FooterLinks links={column.links} />
            </nav>
          ))}
        </div>
      </div>
      <div className="measure">
        <div className="flex flex-col gap-2 border-line border-t py-6 text-soft text-sm lg:flex-row lg:items-center lg:justify-between">
          <div>
            <p>{t('site.copyright')}</p>
            {company && (
              <address className="text-balance not-italic">
                {company.name}, {company.address}
              </address>
            )}
          </div>
          <div className="grid grid-cols-[repeat(auto-fit,minmax(8rem,1fr))] items-center gap-x-8 md:flex md:gap-x-6">
            <FooterLinks links={bottomLinks} inline />
            <LanguageLink className={linkClass} />
          </div>
        </div>
      </div>
    </footer>
  )
}

function FooterLinks({ links, inline = false }: { links: readonly FooterLink[]; inline?: boolean }) {
  const t = useWords()
  const { pathname } = useLocation()
  return (
    <ul
      className={
        inline
          ? 'contents md:flex md:gap-x-6'
          : 'max-md:group-last:flex max-md:group-last:flex-wrap max-md:group-last:gap-x-4'
      }
    >
      {links.map((link) => (
        <li key={link.label}>
          {/* Navigation scrolls to the top. A link to the current page does not navigate, so it scrolls here. */}
          <Link
            to={link.to}
            onClick={() => pathname === link.to && scrollTo({ top: 0 })}
            className={linkClass}
          >
            {t(link.label)}
          </Link>
        </li>
      ))}
    </ul>
  )
}
