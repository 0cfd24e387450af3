import { TextLink } from '#web/kit/Button.tsx'
import type { Section } from '#web/words/document.ts'

/** Where a section leads on to; on lines of their own, so that fingers find them. */
export function LongPageLinks({ links }: { links: NonNullable<Section['links']> }) {
  return (
    <ul className="flex flex-wrap gap-x-6">
      {links.map(({ label, to }) => (
        <li key={to}>
          <TextLink to={to} className="inline-flex min-h-11 items-center">
            {label}
          </TextLink>
        </li>
      ))}
    </ul>
  )
}
