import type { ReactNode } from 'react'
import { Skeleton } from '#web/kit/Skeleton.tsx'

export function DetailFrame({ children }: { children: ReactNode }) {
  return (
    <section
      aria-label="Submission"
      className="flex min-h-0 min-w-0 flex-col overflow-clip rounded-lg border border-line bg-surface"
    >
      {children}
    </section>
  )
}

export function DetailSkeleton() {
  return (
    <div role="status" className="grid gap-5 p-5">
      <span className="sr-only">Loading the submission</span>
      <Skeleton className="h-16" />
      <Skeleton className="h-64" />
    </div>
  )
}
