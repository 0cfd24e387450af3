import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useWords } from '#web/words/words.ts'
import { cx } from './cx.ts'
import { type Tone, toneClass } from './tone.ts'

const icons: Partial<Record<Tone, LucideIcon>> = {
  negative: CircleAlert,
  caution: TriangleAlert,
  positive: CircleCheck,
}

interface NoticeProps {
  tone?: Tone
  title?: ReactNode
  children?: ReactNode
  action?: ReactNode
  /** Screen readers announce it immediately. */
  urgent?: boolean
}

/** A message in the page. */
export function Notice({ tone = 'info', title, children, action, urgent }: NoticeProps) {
  const Icon = icons[tone] ?? Info
  return (
    <div role={urgent ? 'alert' : undefined} className={cx('flex gap-3 rounded-md p-4', toneClass[tone])}>
      <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <div className="grid min-w-0 flex-1 gap-1">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div className="text-pretty text-sm">{children}</div>}
        {action && <div className="pt-2">{action}</div>}
      </div>
    </div>
  )
}

/** Says that a list or page could not be loaded and offers to try again. */
export function Failure({ message, onRetry }: { message: string; onRetry: () => void }) {
  const t = useWords()
  return (
    <Notice
      tone="negative"
      title={message}
      urgent
      action={
        <button
          type="button"
          onClick={onRetry}
          className="min-h-11 font-semibold underline underline-offset-4"
        >
          {t('site.retry')}
        </button>
      }
    />
  )
}
