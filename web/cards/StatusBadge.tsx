import {
  BadgeCheck,
  CircleCheck,
  CircleHelp,
  CircleMinus,
  CircleX,
  Clock,
  type LucideIcon,
  MessageCircleQuestionMark,
  RefreshCw,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { SellerStatus, Status } from '#domain/submission.ts'
import { cx } from '#web/kit/cx.ts'
import { type Tone, toneClass } from '#web/kit/tone.ts'

/** The spec (section 4) fixes these colors: completed green, processing yellow, pending blue, failures red. */
const looks: Readonly<Record<Status | SellerStatus, Look>> = {
  pending: { tone: 'info', icon: Clock },
  under_review: { tone: 'caution', icon: MessageCircleQuestionMark },
  processing: { tone: 'caution', icon: RefreshCw },
  approved: { tone: 'caution', icon: BadgeCheck },
  completed: { tone: 'positive', icon: CircleCheck },
  rejected: { tone: 'negative', icon: CircleX },
  failed: { tone: 'negative', icon: CircleX },
  cancelled: { tone: 'negative', icon: CircleMinus },
}
const unknown: Look = { tone: 'neutral', icon: CircleHelp }

interface Look {
  readonly tone: Tone
  readonly icon: LucideIcon
}

/** Neutral for a status that is newer than this client. */
export function statusLook(status: string): Look {
  const known: Readonly<Record<string, Look>> = looks
  return known[status] ?? unknown
}

/** A status as icon, word and color. The caller gives the word. */
export function StatusBadge({ status, children }: { status: string; children: ReactNode }) {
  const { tone, icon: Icon } = statusLook(status)
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1.5 whitespace-nowrap rounded-full px-2.5 py-1 font-semibold text-xs',
        toneClass[tone],
      )}
    >
      <Icon aria-hidden="true" className="size-3.5" />
      {children}
    </span>
  )
}
