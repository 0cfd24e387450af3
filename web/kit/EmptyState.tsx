import type { ReactNode } from 'react'

interface EmptyStateProps {
  icon?: ReactNode
  title: ReactNode
  children?: ReactNode
  action?: ReactNode
}

/** Shown instead of an empty list: what is missing and how to get it. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className="grid justify-items-center gap-3 rounded-lg border border-line border-dashed px-6 py-14 text-center">
      {icon && <div className="text-soft [&_.lucide]:size-8">{icon}</div>}
      <div className="font-semibold text-lg">{title}</div>
      {children && <div className="max-w-prose text-soft">{children}</div>}
      {action && <div className="pt-2">{action}</div>}
    </div>
  )
}
