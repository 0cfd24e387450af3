import { Children, type ReactNode } from 'react'

/** Parts on one line with dots between them. A part that wraps to the next line loses the dot before it. */
export function Dotted({ children }: { children: ReactNode }) {
  return (
    // Hides the dots at the start of each line.
    <span className="-ml-4 block [clip-path:inset(-0.5rem_-0.5rem_-0.5rem_1rem)]">
      {Children.toArray(children).map((part, index) => (
        <span key={index} className="inline-block pl-4">
          {index > 0 && <span className="-ml-4 inline-block w-4 whitespace-pre text-center"> · </span>}
          {part}
        </span>
      ))}
    </span>
  )
}
