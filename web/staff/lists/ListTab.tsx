import type { ReactNode } from 'react'

/** A tab that is one list with its filters above it. */
export function ListTab({ filters, children }: { filters: ReactNode; children: ReactNode }) {
  return (
    <div className="grid min-h-0 flex-1 content-start gap-4 overflow-y-auto p-4 lg:px-6">
      <search className="flex flex-wrap items-center gap-2">{filters}</search>
      {children}
    </div>
  )
}
