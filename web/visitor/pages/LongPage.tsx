import { PageTitle } from '#web/kit/PageTitle.tsx'
import { PageHeader } from '#web/kit/Panel.tsx'
import type { LongText, Section } from '#web/words/document.ts'
import { LongPageLinks } from './LongPageLinks.tsx'
import { TableOfContents } from './TableOfContents.tsx'

/** A long text: its contents beside it on a wide screen, above it on a narrow one. */
export function LongPage({ text: { title, intro, updated, sections } }: { text: LongText }) {
  return (
    <div className="measure grid grid-cols-1 gap-8 py-8 md:py-12">
      <PageTitle>{title}</PageTitle>
      <div className="grid gap-3">
        <PageHeader title={title}>{intro}</PageHeader>
        <p className="text-soft text-sm">Last updated: {updated}</p>
      </div>
      <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[15rem_minmax(0,1fr)] lg:gap-16">
        <TableOfContents
          sections={sections}
          className="lg:top-22 md:max-lg:[&_ol]:columns-2 md:max-lg:[&_ol]:gap-x-8"
        />
        <div className="grid max-w-prose gap-10">
          {sections.map((section) => (
            <TextSection key={section.id} section={section} />
          ))}
        </div>
      </div>
    </div>
  )
}

function TextSection({ section: { id, title, text, points, links } }: { section: Section }) {
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="grid scroll-mt-24 gap-3">
      <h2 id={`${id}-title`} className="text-2xl">
        {title}
      </h2>
      {text.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {points && (
        <ul className="grid list-disc gap-2 pl-5 marker:text-soft">
          {points.map((point) => (
            <li key={point}>{point}</li>
          ))}
        </ul>
      )}
      {links && <LongPageLinks links={links} />}
    </section>
  )
}
