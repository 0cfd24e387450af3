import type { ReactNode } from 'react'
import { LogoMark } from './Logo.tsx'

interface FailedProps {
  heading: string
  text: string
  /** Use `h2` if a header above has the `h1`. */
  as?: 'h1' | 'h2'
  /** What the reader can do, such as a button to try again. */
  children: ReactNode
}

/** Shown instead of a screen. Its drawing is the logo, fallen over, which every document already has. */
export function Failed({ heading, text, as: Heading = 'h1', children }: FailedProps) {
  return (
    <div className="measure grid justify-items-center gap-4 py-8 text-center">
      <LogoMark className="mb-4 h-20 w-auto rotate-12 text-accent" />
      <Heading className="text-3xl">{heading}</Heading>
      <p className="max-w-md text-balance text-lg text-soft">{text}</p>
      {children}
    </div>
  )
}
