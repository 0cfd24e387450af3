import { ChevronDown } from 'lucide-react'
import { TextLink } from '#web/kit/Button.tsx'
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
        <TableOfContents sections={sections} />
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

/** Plain anchors in a list that folds on narrow screens: both work without scripts. */
function TableOfContents({ sections }: Pick<LongPageProps, 'sections'>) {
  const t = useWords()
  const list = (
    <ol>
      {sections.map(({ id, title }) => (
        <li key={id}>
          <a
            href={`#${id}`}
            className="flex min-h-11 items-center py-1 text-soft text-balance leading-snug hover:text-ink hover:underline lg:min-h-8 lg:text-sm"
          >
            {t(title)}
          </a>
        </li>
      ))}
    </ol>
  )
  return (
    <nav aria-labelledby="contents" className="top-22 lg:sticky">
      <details className="group rounded-lg border border-line bg-surface px-4 lg:hidden">
        <summary className="flex min-h-12 cursor-pointer list-none items-center justify-between gap-3 font-semibold [&::-webkit-details-marker]:hidden">
          {t('pages.contents')}
          <ChevronDown
            aria-hidden="true"
            className="size-5 text-soft transition-transform group-open:rotate-180"
          />
        </summary>
        <div className="pb-2">{list}</div>
      </details>
      <h2 id="contents" className="font-semibold text-sm max-lg:hidden">
        {t('pages.contents')}
      </h2>
      <div className="mt-1 max-lg:hidden">{list}</div>
    </nav>
  )
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
