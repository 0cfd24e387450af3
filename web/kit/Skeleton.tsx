import type { ReactNode } from 'react'
import { cx } from './cx.ts'
import { Spinner } from './Spinner.tsx'

/** A placeholder for content that is loading. Give it the content's size. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <div
      aria-hidden="true"
      className={cx('animate-breathe rounded-md bg-sunken motion-reduce:animate-none', className)}
    />
  )
}

/** Placeholder rows of a list, with a label for screen readers. */
export function SkeletonRows({ rows = 3, label }: { rows?: number; label: string }) {
  return (
    <div role="status" className="grid gap-3">
      <span className="sr-only">{label}</span>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} className="h-20" />
      ))}
    </div>
  )
}

/** A whole page that is loading. */
export function Waiting({ children }: { children: ReactNode }) {
  return (
    <div role="status" className="flex min-h-[50dvh] items-center justify-center gap-3 text-soft">
      <Spinner />
      <span>{children}</span>
    </div>
  )
}
