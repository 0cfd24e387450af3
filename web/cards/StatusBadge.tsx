import {
  BadgeCheck,
  CircleCheck,
  CircleHelp,
  CircleMinus,
  CircleX,
  Clock,
  HandCoins,
  MessageCircleQuestionMark,
  RefreshCw,
} from 'lucide-react'
import type { SellerStatus, Status } from '#domain/submission.ts'
import { Badge, type BadgeLook } from '#web/kit/Badge.tsx'
import { useWords } from '#web/words/words.ts'

/** The spec (section 4) fixes these colors: completed green, processing yellow, pending blue, failures red. */
const looks: Readonly<Record<Status | SellerStatus, BadgeLook>> = {
  pending: { tone: 'info', icon: Clock },
  under_review: { tone: 'caution', icon: MessageCircleQuestionMark },
  offered: { tone: 'caution', icon: HandCoins },
  processing: { tone: 'money', icon: RefreshCw },
  approved: { tone: 'money', icon: BadgeCheck },
  completed: { tone: 'positive', icon: CircleCheck },
  rejected: { tone: 'negative', icon: CircleX },
  failed: { tone: 'negative', icon: CircleX },
  cancelled: { tone: 'negative', icon: CircleMinus },
}
const unknown: BadgeLook = { tone: 'neutral', icon: CircleHelp }

/** Neutral for a status that is newer than this client. */
export function statusLook(status: string): BadgeLook {
  return isKnown(status) ? looks[status] : unknown
}

function isKnown(status: string): status is keyof typeof looks {
  return Object.hasOwn(looks, status)
}

/** A status as icon, label and color. */
export function StatusBadge({ status, label }: StatusBadgeProps) {
  const t = useWords()
  return (
    <Badge {...statusLook(status)}>
      {label ?? t(`statuses.label.${isKnown(status) ? status : 'unknown'}`)}
    </Badge>
  )
}

interface StatusBadgeProps {
  status: string
  /** Defaults to the seller's. */
  label?: string
}
