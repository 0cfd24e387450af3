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
  Mail,
  Send,
  Undo2,
} from 'lucide-react'
import type { WireBatch, WirePayout } from '#contract/payouts.ts'
import type { BatchState, PayoutState } from '#domain/payout.ts'
import { Badge } from '#web/kit/Badge.tsx'
import { timeText } from '#web/kit/Time.tsx'
import { accountLook } from './badges.tsx'
import {
  batchWords,
  isOnWorksheet,
  isPaid,
  payoutWords,
  problemWords,
  providerBatchWords,
} from './payout-words.ts'

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

interface PayoutBadgeProps {
  payout: Pick<WirePayout, 'state' | 'paymentType'> & Partial<Pick<WirePayout, 'problem' | 'batchableAt'>>
  /** The seller is asked for another account. */
  needsAccount?: boolean
  /** A changed account is not paid before. */
  waitsUntil?: string | null | undefined
  /** The seller has to confirm the email first. */
  mustConfirmEmail?: boolean
  /** For narrow places: leaves out until when. */
  short?: boolean
}

export function PayoutBadge({
  payout,
  needsAccount = payout.problem === 'account_dead' || payout.problem === 'routing_number',
  waitsUntil = payout.problem === 'account_new' ? payout.batchableAt : undefined,
  mustConfirmEmail = payout.problem === 'email_unconfirmed',
  short = false,
}: PayoutBadgeProps) {
  const { state } = payout
  if (state === 'due' && needsAccount) return <Badge {...accountLook}>{problemWords.account_dead.name}</Badge>
  if (state === 'due' && waitsUntil) {
    return (
      <Badge tone="caution" icon={Clock}>
        {short ? 'On hold' : `On hold until ${timeText('en', waitsUntil, 'dateTime')}`}
      </Badge>
    )
  }
  if (state === 'due' && mustConfirmEmail) {
    return (
      <Badge tone="caution" icon={Mail}>
        Waits for email
      </Badge>
    )
  }
  if (isOnWorksheet(payout)) {
    return (
      <Badge tone="caution" icon={CirclePlay}>
        To pay
      </Badge>
    )
  }
  return (
    <Badge tone={payoutWords[state].tone} icon={icons[state]}>
      {payoutWords[state].name}
    </Badge>
  )
}

export function BatchBadge({ batch }: { batch: WireBatch }) {
  const { state, file, sentBy } = batch
  const shown = isPaid(batch) ? 'paid' : state
  const { tone, name } = shown === 'paid' ? payoutWords.paid : batchWords[shown]
  // A worksheet is paid on the screen: nothing leaves as a file.
  const isStarted = shown === 'exported' && file === 'worksheet'
  return (
    <Badge tone={tone} icon={isStarted ? CirclePlay : icons[shown]}>
      {isStarted ? 'Started' : ((sentBy && providerBatchWords[shown]) ?? name)}
    </Badge>
  )
}
