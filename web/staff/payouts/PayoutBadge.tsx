import {
  Ban,
  CircleCheck,
  CircleDot,
  Clock,
  FileCheck,
  Layers,
  LockKeyhole,
  type LucideIcon,
  Send,
  Undo2,
} from 'lucide-react'
import type { BatchState, PayoutState } from '#domain/payout.ts'
import { cx } from '#web/kit/cx.ts'
import { toneClass } from '#web/kit/tone.ts'
import { batchWords, payoutWords } from './payout-words.ts'

const icons: Readonly<Record<PayoutState | BatchState, LucideIcon>> = {
  due: Clock,
  batched: Layers,
  open: CircleDot,
  frozen: LockKeyhole,
  released: FileCheck,
  exported: Send,
  paid: CircleCheck,
  returned: Undo2,
  void: Ban,
}

export function PayoutBadge({ state }: { state: PayoutState }) {
  return <Badge icon={icons[state]} {...payoutWords[state]} />
}

/** @param isPaid every payout of it was paid or came back */
export function BatchBadge({ state, isPaid = false }: { state: BatchState; isPaid?: boolean }) {
  if (isPaid) return <Badge icon={icons.paid} {...payoutWords.paid} />
  return <Badge icon={icons[state]} {...batchWords[state]} />
}

interface BadgeProps {
  icon: LucideIcon
  name: string
  tone: keyof typeof toneClass
}

function Badge({ icon: Icon, name, tone }: BadgeProps) {
  return (
    <span
      className={cx(
        'inline-flex items-center gap-1.5 whitespace-nowrap rounded-full px-2.5 py-1 font-semibold text-xs',
        toneClass[tone],
      )}
    >
      <Icon aria-hidden="true" className="size-3.5" />
      {name}
    </span>
  )
}
