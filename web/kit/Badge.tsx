import type { LucideIcon } from 'lucide-react'
import { cx } from './cx.ts'
import { type Tone, toneClass } from './tone.ts'

export interface BadgeLook {
  readonly tone: Tone
  readonly icon: LucideIcon
}

/** One word with an icon and a color. */
export function Badge({ tone, icon: Icon, children }: BadgeLook & { children: string }) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1.5 rounded-chip md:whitespace-nowrap px-2.5 py-1 font-semibold text-xs',
        toneClass[tone],
      )}
    >
      <Icon aria-hidden="true" className="size-3.5" />
      {children}
    </span>
  )
}
