import { TextLink } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { PageHeader } from '#web/kit/Panel.tsx'
import { useWords } from '#web/words/words.ts'
import type { Key } from '#words/keys.ts'
import { intlLocales } from '#words/locales.ts'
import type { Values } from '#words/translate.ts'

/** A section of /terms, /privacy or /security. */
export interface Section {
  /** The anchor. */
  readonly id: string
  readonly title: Key
  /** Paragraphs, with an empty line between them. */
  readonly text: Key
  /** A list, one point per line. */
  readonly points?: Key
  readonly links?: readonly { readonly label: Key; readonly to: string }[]
}

/** A long text with its contents beside it on wide screens and above it on narrow ones. */
export function LongPage({ title, intro, updated, sections, values }: LongPageProps) {
  const t = useWords()
  const month = new Intl.DateTimeFormat(intlLocales[t.locale], {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return (
    <div className="measure grid grid-cols-1 gap-8 py-8 md:py-12">
      <PageTitle>{t(title)}</PageTitle>
      <div className="grid gap-3">
        <PageHeader title={t(title)}>{t(intro)}</PageHeader>
        <p className="text-soft text-sm">{t('pages.updated', { month: month.format(new Date(updated)) })}</p>
      </div>
      <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-16">
        <TableOfContents
          sections={sections}
          className="lg:top-22 max-lg:[&_ol]:columns-2 max-lg:[&_ol]:gap-x-6"
        />
        <div className="grid max-w-prose gap-10">
          {sections.map((section) => (
            <TextSection key={section.id} section={section} values={values} />
          ))}
        </div>
      </div>
    </div>
  )
}

interface LongPageProps {
  title: Key
  intro: Key
  /** Year and month: `2026-11`. */
  updated: string
  sections: readonly Section[]
  /** What the texts insert. */
  values?: Values
}

function TextSection({ section, values }: { section: Section; values: Values | undefined }) {
  const t = useWords()
  const { id, title, text, points, links } = section
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="grid scroll-mt-24 gap-3">
      <h2 id={`${id}-title`} className="text-2xl">
        {t(title)}
      </h2>
      {t(text, values)
        .split('\n\n')
        .map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      {points && (
        <ul className="grid list-disc gap-2 pl-5 marker:text-soft">
          {t(points, values)
            .split('\n')
            .map((point) => (
              <li key={point}>{point}</li>
            ))}
        </ul>
      )}
      {links && <LongPageLinks links={links} />}
    </section>
  )
}

/** Plain anchors, which work without scripts. */
function TableOfContents({ sections, className }: TableOfContentsProps) {
  const t = useWords()
  return (
    <nav
      aria-labelledby="contents"
      className={cx(
        'rounded-lg border border-line bg-surface p-5 lg:sticky lg:border-0 lg:bg-transparent lg:p-0',
        className,
      )}
    >
      <h2 id="contents" className="font-semibold text-sm">
        {t('pages.contents')}
      </h2>
      <ol className="mt-1">
        {sections.map(({ id, title }) => (
          <li key={id} className="break-inside-avoid">
            <a
              href={`#${id}`}
              className="flex min-h-11 items-center py-1 text-soft text-balance leading-snug hover:text-ink hover:underline max-md:text-sm lg:min-h-8 lg:text-sm"
            >
              {t(title)}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}

interface TableOfContentsProps {
  sections: readonly Section[]
  /** Its sticky position, and its columns on narrow screens. */
  className: string
}

/** Links below the section's text, large enough for fingers. */
function LongPageLinks({ links }: { links: NonNullable<Section['links']> }) {
  const t = useWords()
  return (
    <ul className="flex flex-wrap gap-x-6">
      {links.map(({ label, to }) => (
        <li key={to}>
          <TextLink to={to} className="inline-flex min-h-11 items-center">
            {t(label)}
          </TextLink>
        </li>
      ))}
    </ul>
  )
}
