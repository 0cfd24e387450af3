import { cx } from '#web/kit/cx.ts'

interface TableOfContentsProps {
  /** The anchors of the sections, and what they are called. */
  sections: readonly { id: string; title: string }[]
  /** Where it stays while one scrolls, and how many columns it has on narrow screens. */
  className: string
}

/** Plain anchors: the browser knows how to go there, without a script too. Beside the text, or above it. */
export function TableOfContents({ sections, className }: TableOfContentsProps) {
  return (
    <nav
      aria-labelledby="contents"
      className={cx(
        'rounded-lg border border-line bg-surface p-5 lg:sticky lg:border-0 lg:bg-transparent lg:p-0',
        className,
      )}
    >
      <h2 id="contents" className="font-semibold text-sm">
        On this page
      </h2>
      <ol className="mt-1">
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
