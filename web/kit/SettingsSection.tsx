import { type ReactNode, type Ref, useId } from 'react'
import { Panel } from './Panel.tsx'

/** Title and introduction on the left, the controls on the right; on phones, below each other. */
export function SettingsSection({ title, intro, headingRef, children }: SettingsSectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[18rem_minmax(0,1fr)] lg:gap-12"
    >
      <header className="grid gap-1">
        <h2 ref={headingRef} id={id} tabIndex={-1} className="scroll-mt-24 text-xl outline-none">
          {title}
        </h2>
        {intro && <p className="max-w-prose text-pretty text-soft text-sm wrap-anywhere">{intro}</p>}
      </header>
      <Panel className="grid grid-cols-1 gap-5">{children}</Panel>
    </section>
  )
}

interface SettingsSectionProps {
  title: string
  intro?: string
  /** To scroll to the section and focus its heading. */
  headingRef?: Ref<HTMLHeadingElement>
  children: ReactNode
}
