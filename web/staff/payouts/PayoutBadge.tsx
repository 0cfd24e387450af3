import {
  Ban,
  CircleCheck,
  CircleDot,
  CirclePlay,
  Clock,
  FileCheck,
  Layers,
  LockKeyhole,
  type LucideIcon,
  Send,
  Undo2,
} from 'lucide-react'
import type { WireBatch } from '#contract/payouts.ts'
import type { BatchState, PayoutState } from '#domain/payout.ts'
import { cx } from '#web/kit/cx.ts'
import { toneClass } from '#web/kit/tone.ts'
import { batchWords, isSettled, payoutWords } from './payout-words.ts'

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

export function BatchBadge({ batch }: { batch: WireBatch }) {
  const { state, file } = batch
  if (isSettled(batch)) return <Badge icon={icons.paid} {...payoutWords.paid} />
  // A worksheet is paid on the screen: nothing leaves as a file.
  if (state === 'exported' && file === 'worksheet') {
    return <Badge icon={CirclePlay} {...batchWords.exported} name="Started" />
  }
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
