import type { Section } from '../../copy/document.ts'

/** Plain anchors: the browser knows how to go there, without a script too. */
export function TableOfContents({ sections }: { sections: readonly Section[] }) {
  return (
    <nav
      aria-labelledby="contents"
      className="rounded-lg border border-line bg-surface p-5 lg:sticky lg:top-22 lg:border-0 lg:bg-transparent lg:p-0"
    >
      <h2 id="contents" className="font-semibold text-sm">
        On this page
      </h2>
      <ol className="mt-1 md:max-lg:columns-2 md:max-lg:gap-x-8">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              className="flex min-h-11 items-center py-1 text-soft leading-snug hover:text-ink hover:underline lg:min-h-8 lg:text-sm"
            >
              {title}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  )
}
