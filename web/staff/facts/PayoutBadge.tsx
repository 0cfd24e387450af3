import {
  Ban,
  CircleCheck,
  CircleDot,
  CirclePlay,
  Clock,
  FileCheck,
  FileX,
  Landmark,
  Layers,
  LockKeyhole,
  type LucideIcon,
  Send,
  Undo2,
} from 'lucide-react'
import type { WireBatch } from '#contract/payouts.ts'
import type { BatchState, PayoutState } from '#domain/payout.ts'
import { Badge } from '#web/kit/Badge.tsx'
import { batchWords, isPaid, payoutWords } from './payout-words.ts'

const icons: Readonly<Record<PayoutState | BatchState, LucideIcon>> = {
  due: Clock,
  batched: Layers,
  open: CircleDot,
  frozen: LockKeyhole,
  released: FileCheck,
  exported: Send,
  settled: Landmark,
  rejected: FileX,
  paid: CircleCheck,
  returned: Undo2,
  void: Ban,
}

export function PayoutBadge({ state }: { state: PayoutState }) {
  return (
    <Badge tone={payoutWords[state].tone} icon={icons[state]}>
      {payoutWords[state].name}
    </Badge>
  )
}

export function BatchBadge({ batch }: { batch: WireBatch }) {
  const { state, file, sentBy } = batch
  if (isPaid(batch)) return <PayoutBadge state="paid" />
  const { tone, name } = batchWords[state]
  // A worksheet is paid on the screen: nothing leaves as a file.
  const isStarted = state === 'exported' && file === 'worksheet'
  return (
    <Badge tone={tone} icon={isStarted ? CirclePlay : icons[state]}>
      {isStarted ? 'Started' : state === 'exported' && sentBy ? 'Sent' : name}
    </Badge>
  )
}
