import { Children, Fragment, type ReactNode } from 'react'

/** Parts on one line with dots between them. A part that wraps to the next line loses the dot before it. */
export function Dotted({ children }: { children: ReactNode }) {
  return (
    // Hides the dots at the start of each line.
    <span className="-ml-4 flex flex-wrap items-baseline [clip-path:inset(-0.5rem_-0.5rem_-0.5rem_1rem)]">
      {Children.toArray(children).map((part, index) => (
        <Fragment key={index}>
          {' '}
          <span className="min-w-0 pl-4 not-first:before:-ml-4 not-first:before:inline-block not-first:before:w-4 not-first:before:text-center not-first:before:content-['·']">
            {part}
          </span>
        </Fragment>
      ))}
    </span>
  )
}
