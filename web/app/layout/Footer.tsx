import { Logo } from '#web/kit/Logo.tsx'
import { Link } from '#web/kit/router/index.ts'
import { paths } from '#web/words/paths.ts'
import { site } from '#web/words/site.ts'

interface FooterLink {
  to: string
  label: string
}

const columns: readonly { title: string; links: readonly FooterLink[] }[] = [
  {
    title: 'Services',
    links: [
      { to: paths.getQuote, label: 'Get a Quote' },
      { to: paths.transactions, label: 'Transaction History' },
      { to: paths.processing, label: 'Processing Status' },
    ],
  },
  {
    title: 'Support',
    links: [
      { to: paths.help, label: 'Help Center' },
      { to: paths.contact, label: 'Contact Us' },
      { to: paths.faq, label: 'FAQ' },
    ],
  },
  {
    title: 'Legal',
    links: [
      { to: paths.terms, label: 'Terms of Service' },
      { to: paths.privacy, label: 'Privacy Policy' },
      { to: paths.security, label: 'Security' },
    ],
  },
]

const bottomLinks: readonly FooterLink[] = [
  { to: paths.quote, label: 'Sell Gift Cards' },
  { to: paths.help, label: 'Status' },
  { to: paths.security, label: 'Trust & Safety' },
]

export function Footer() {
  return (
    <footer className="mt-20 border-line border-t bg-sunken">
      <div className="measure grid gap-10 py-12 md:grid-cols-3 lg:grid-cols-[2fr_1fr_1fr_1fr]">
        <div className="grid max-w-sm content-start gap-3 md:max-lg:col-span-3">
          <Logo />
          <p className="text-soft">{site.blurb}</p>
        </div>
        {/* On phones two columns, with the last list across both. */}
        <div className="contents max-md:grid max-md:grid-cols-2 max-md:gap-8">
          {columns.map((column) => (
            <nav key={column.title} aria-label={column.title} className="group max-md:last:col-span-2">
              <h2 className="mb-1 font-semibold text-sm">{column.title}</h2>
              <FooterLinks links={column.links} />
            </nav>
          ))}
        </div>
      </div>
      <div className="measure">
        <div className="flex flex-col gap-2 border-line border-t py-6 text-soft text-sm md:flex-row md:items-center md:justify-between">
          <p>{site.copyright}</p>
          <FooterLinks links={bottomLinks} inline />
        </div>
      </div>
    </footer>
  )
}

/** Navigation scrolls to the top. A link to the current page does not navigate, so it scrolls here. */
function scrollToTop(to: string): void {
  if (location.pathname === to) scrollTo({ top: 0 })
}

function FooterLinks({ links, inline = false }: { links: readonly FooterLink[]; inline?: boolean }) {
  return (
    <ul
      className={
        inline
          ? 'flex flex-wrap gap-x-6'
          : 'max-md:group-last:flex max-md:group-last:flex-wrap max-md:group-last:gap-x-6'
      }
    >
      {links.map((link) => (
        <li key={link.label}>
          <Link
            to={link.to}
            onClick={() => scrollToTop(link.to)}
            className="inline-flex min-h-11 items-center text-soft hover:text-ink hover:underline md:min-h-9"
          >
            {link.label}
          </Link>
        </li>
      ))}
    </ul>
  )
}
