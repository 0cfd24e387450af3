import { type ReactNode, useId } from 'react'
import { Panel } from '#web/kit/Panel.tsx'

interface SettingsSectionProps {
  title: string
  intro: string
  children: ReactNode
}

/** One thing that can be set: what it is on the left, the way to do it on the right; on a phone below. */
export function SettingsSection({ title, intro, children }: SettingsSectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[18rem_minmax(0,1fr)] lg:gap-12"
    >
      <header className="grid gap-1">
        <h2 id={id} className="text-xl">
          {title}
        </h2>
        <p className="max-w-prose text-soft text-sm wrap-anywhere">{intro}</p>
      </header>
      <Panel>{children}</Panel>
    </section>
  )
}
