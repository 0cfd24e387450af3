import { Check, X } from 'lucide-react'
import type { WireBatch } from '#contract/payouts.ts'
import { cx } from '#web/kit/cx.ts'
import { Time } from '#web/kit/Time.tsx'
import { isPaid } from '../facts/payout-words.ts'

interface Step {
  readonly name: string
  readonly by: string | null
  readonly at: string | null
  readonly done: boolean
}

/** The steps of a batch, with who did each and when. */
export function BatchSteps({ batch }: { batch: WireBatch }) {
  const steps = stepsOf(batch)
  const next = steps.findIndex(({ done }) => !done)
  const hasFailed = batch.state === 'void' || batch.state === 'rejected'
  return (
    <ol
      aria-label="Steps"
      className="grid gap-x-4 gap-y-2 @5xl:grid-flow-col @5xl:auto-cols-fr @5xl:border-line @5xl:border-y @5xl:py-3"
    >
      {steps.map(({ name, by, at, done }, index) => (
        <li
          key={name}
          aria-current={index === next ? 'step' : undefined}
          className="grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-2.5 text-sm"
        >
          <Mark number={index + 1} done={done} current={index === next} failed={hasFailed} />
          <span className="flex min-w-0 flex-wrap items-baseline gap-x-2 *:@5xl:block @5xl:block">
            <span className={cx('font-semibold', !done && index !== next && 'text-soft')}>{name}</span>
            {by && <span className="truncate text-soft">{by}</span>}
            {at && (
              <span className="text-soft">
                <Time at={at} as="dateTime" />
              </span>
            )}
          </span>
        </li>
      ))}
    </ol>
  )
}

interface MarkProps {
  number: number
  done: boolean
  current: boolean
  /** The current step ended the batch. */
  failed: boolean
}

function Mark({ number, done, current, failed }: MarkProps) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'figures grid size-6 place-items-center rounded-full font-semibold text-xs',
        done && 'bg-positive-quiet text-positive',
        current && (failed ? 'border border-control text-soft' : 'bg-accent text-on-accent'),
        !done && !current && 'border border-control text-soft',
      )}
    >
      {done ? <Check className="size-3.5" /> : current && failed ? <X className="size-3.5" /> : number}
    </span>
  )
}

function stepsOf(batch: WireBatch): readonly Step[] {
  const { file, count, paidCount, releasedAlone, frozenBy, releasedBy, exportedBy, sentBy } = batch
  const step = (todo: string, past: string, by: string | null, at: string | null) => ({
    name: at === null ? todo : past,
    by,
    at,
    done: at !== null,
  })
  const automatic = batch.createdBy === null ? 'Automatic' : undefined
  const isAllPaid = batch.state === 'settled' || isPaid(batch)
  const paid =
    paidCount > 0 ? `${paidCount.toLocaleString('en-US')} of ${count.toLocaleString('en-US')}` : null
  const steps = [
    step('Create', 'Created', automatic ?? batch.createdBy, batch.createdAt),
    step('Freeze', 'Frozen', automatic ?? frozenBy, batch.frozenAt),
    ...(batch.needsTwoApprovals || batch.approvedBy
      ? [step('First approval', 'First approval', batch.approvedBy, batch.approvedAt)]
      : []),
    step(
      batch.needsTwoApprovals ? 'Second approval and release' : 'Release',
      'Released',
      automatic ?? (releasedAlone ? `${releasedBy}, alone` : releasedBy),
      batch.releasedAt,
    ),
    file === 'worksheet'
      ? step('Start', 'Started', exportedBy, batch.exportedAt)
      : sentBy
        ? step('Send', 'Sent', 'PayPal', batch.exportedAt)
        : step('Export', 'Exported', exportedBy, batch.exportedAt),
    { name: isAllPaid ? 'Paid' : 'Pay', by: paid, at: null, done: isAllPaid },
    step('Settle', 'Settled', batch.settledBy, batch.settledAt),
  ]
  const past = steps.filter(({ done }) => done)
  switch (batch.state) {
    case 'void':
      return [...past, { name: 'Dissolved', by: null, at: null, done: false }]
    case 'rejected':
      return [
        ...past,
        { name: sentBy ? 'Abandoned' : 'Rejected', by: batch.rejectedBy, at: batch.rejectedAt, done: false },
      ]
    default:
      return steps
  }
}
