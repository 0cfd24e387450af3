import type { Duplicate, DuplicateReason } from '#contract/staff.ts'
import { staffStatus, statusRules } from '#domain/submission.ts'
import { Money } from '#web/kit/Money.tsx'
import { once } from '#web/kit/once.ts'
import { Link } from '#web/kit/router/index.ts'
import { StatusBadge } from '#web/kit/StatusBadge.tsx'
import { RelativeTime } from '../../time/RelativeTime.tsx'
import { useNow } from '../../time/use-now.ts'
import { UnlistedBadge } from '../../UnlistedBadge.tsx'

const words: Readonly<Record<DuplicateReason, string>> = {
  card_number: 'Same card',
  photo: 'Similar photo',
  payment_account: 'Same payout account',
}
const list = once(() => new Intl.ListFormat('en-US'))

/** One that resembles the open submission: in what, whose it is, and how it ended. */
export function DuplicateRow({ duplicate, to }: { duplicate: Duplicate; to: string }) {
  const now = useNow(30_000)
  const status = staffStatus(duplicate.status)
  const [first = '', ...others] = duplicate.reasons.map((reason) => words[reason])
  return (
    <li>
      <Link to={to} className="grid gap-0.5 py-2 hover:bg-sunken focus-visible:-outline-offset-2">
        <span className="font-semibold text-caution text-sm">
          {list().format([first, ...others.map((other) => other.toLowerCase())])}
        </span>
        <span className="flex items-center justify-between gap-3 text-sm">
          <span className="min-w-0 truncate">
            {duplicate.brandName} <Money amount={duplicate.denomination} />{' '}
            {duplicate.unlistedBrand && <UnlistedBadge />}
          </span>
          <StatusBadge status={status}>{statusRules[status].label}</StatusBadge>
        </span>
        <span className="truncate text-soft text-sm">
          {duplicate.sameSeller ? 'The same seller' : duplicate.user.username} ·{' '}
          <RelativeTime at={duplicate.createdAt} now={now} />
        </span>
        {duplicate.statusReason && (
          <span className="truncate text-soft text-sm" title={duplicate.statusReason}>
            {duplicate.statusReason}
          </span>
        )}
      </Link>
    </li>
  )
}
