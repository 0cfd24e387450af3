import { Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from '#web/kit/cx.ts'
import { toneClass } from '#web/kit/tone.ts'

interface BannerProps {
  tone: 'caution' | 'negative' | 'neutral'
  title: string
  children?: ReactNode
  action?: ReactNode
  /** Read out at once when it appears. */
  urgent?: boolean
}

/** Something to know before deciding, in one line where it fits: the evidence needs the room. */
export function Banner({ tone, title, children, action, urgent }: BannerProps) {
  const Icon = tone === 'caution' ? TriangleAlert : Info
  return (
    <div
      role={urgent ? 'alert' : undefined}
      className={cx('flex items-center gap-2.5 rounded-md px-3 py-2 text-sm', toneClass[tone])}
    >
      <Icon aria-hidden="true" className={cx('size-4 shrink-0', !action && 'mt-0.5 self-start')} />
      <p className="min-w-0 flex-1 whitespace-pre-line wrap-anywhere">
        <strong className="mr-2 font-semibold">{title}</strong>
        {children && <span>{children}</span>}
      </p>
      {action}
    </div>
  )
}
