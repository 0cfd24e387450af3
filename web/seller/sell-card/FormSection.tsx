import type { ReactNode } from 'react'

export function FormSection({
  title,
  intro,
  children,
}: {
  title: string
  intro?: string
  children: ReactNode
}) {
  return (
    <section className="grid scroll-mt-32 grid-cols-1 gap-5 py-6 md:py-8">
      <header className="grid gap-1">
        <h2 className="text-xl">{title}</h2>
        {intro && <p className="max-w-prose text-pretty text-soft text-sm">{intro}</p>}
      </header>
      {children}
    </section>
  )
}
