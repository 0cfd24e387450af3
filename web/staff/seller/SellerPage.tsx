import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { MessagesSquare, UserX } from 'lucide-react'
import type { ReactNode } from 'react'
import { routes } from '#contract/routes.ts'
import type { StaffSeller } from '#contract/sellers.ts'
import { paymentTypes } from '#domain/payment-methods.ts'
import { may } from '#domain/roles.ts'
import { TextLink } from '#web/kit/Button.tsx'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Link, useSearchParams } from '#web/kit/router/index.ts'
import { Time } from '#web/kit/Time.tsx'
import { ApiError } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'
import { pathTo } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { EmailMark, LanguageBadge, SellerStateBadge, StaffStatus, UnlistedBadge } from '../badges.tsx'
import { Holds } from '../Holds.tsx'
import { type Column, PagedTable } from '../lists/PagedTable.tsx'
import { Notes } from '../Notes.tsx'
import { PayoutBadge } from '../payouts/PayoutBadge.tsx'
import { QueryStatus } from '../QueryStatus.tsx'
import { Reference } from '../Reference.tsx'
import { RelativeTime } from '../RelativeTime.tsx'
import { StaffScreen } from '../StaffScreen.tsx'
import { duplicateWords } from '../submissions/detail/Duplicates.tsx'
import { Fact, Facts } from '../submissions/detail/Facts.tsx'
import { useStaff } from '../use-staff.ts'
import { SellerState } from './SellerState.tsx'

/** Everything staff know about one seller. */
export default function SellerPage() {
  const [address] = useSearchParams()
  const id = address.get('id') ?? ''
  const query = useQuery({ ...read(routes.staffSeller, { query: { id } }), staleTime: 0 })
  const isGone = query.error instanceof ApiError && [400, 404].includes(query.error.status)
  const seller = query.data
  return (
    <StaffScreen
      title={seller?.username ?? 'Seller'}
      intro={seller ? `${seller.firstName} ${seller.lastName}` : 'What we know about a seller.'}
    >
      {isGone ? (
        <EmptyState icon={<UserX />} title="Seller not found">
          The link is wrong or incomplete.
        </EmptyState>
      ) : seller ? (
        <Seller key={id} seller={seller} query={query} />
      ) : (
        <QueryStatus query={query} noun="the seller" rows={6} />
      )}
    </StaffScreen>
  )
}

interface SellerProps {
  seller: StaffSeller
  query: UseQueryResult<StaffSeller>
}

function Seller({ seller, query }: SellerProps) {
  const seesPayouts = may(useStaff().admin.role, 'see_payouts')
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem] 2xl:grid-cols-[minmax(0,1fr)_28rem]">
      <div className="grid grid-cols-1 gap-4 lg:col-start-2 lg:row-start-1">
        <Box>
          <SellerState seller={seller} />
        </Box>
        <Box>
          <Identity seller={seller} />
        </Box>
        <Box>
          <Holds about={{ userId: seller.id }} />
        </Box>
        <Box>
          <Notes about={{ userId: seller.id }} />
        </Box>
      </div>
      <div className="grid grid-cols-1 gap-4 lg:row-start-1">
        <Totals totals={seller.totals} />
        <div className="grid grid-cols-1 gap-4 xl:grid-cols-2">
          <Box>
            <Accounts accounts={seller.accounts} />
          </Box>
          <Box>
            <Links links={seller.links} />
          </Box>
        </div>
        <Submissions seller={seller} query={query} />
        {seesPayouts && seller.payouts.length > 0 && <Payouts seller={seller} query={query} />}
      </div>
    </div>
  )
}

function Box({ children }: { children: ReactNode }) {
  return <div className="rounded-lg border border-line bg-surface p-4">{children}</div>
}

function Identity({ seller }: { seller: StaffSeller }) {
  const { admin } = useStaff()
  const { chat } = seller
  return (
    <Facts
      title="Identity"
      action={
        may(admin.role, 'chat') && (
          <TextLink
            to={pathTo('adminChat', { user: seller.id })}
            className="inline-flex items-center gap-1.5 text-sm"
          >
            <MessagesSquare />
            {chat && chat.unreadCount > 0 ? `Chat, ${chat.unreadCount} unread` : chat ? 'Chat' : 'Message'}
          </TextLink>
        )
      }
    >
      <Fact name="Name">
        <span className="mr-2">
          {seller.firstName} {seller.lastName}
        </span>
        <LanguageBadge locale={seller.locale} />
      </Fact>
      <Fact name="Reference">
        <Reference id={seller.id} />
      </Fact>
      <Fact name="Email" long>
        <span className="mr-2">{seller.email}</span>
        <EmailMark confirmed={seller.verified} />
      </Fact>
      <Fact name="Phone">{seller.phoneNumber ?? 'None'}</Fact>
      <Fact name="Member since">
        <Time at={seller.createdAt} />
      </Fact>
      <Fact name="Last visit">{seller.lastVisit ? <RelativeTime at={seller.lastVisit} /> : 'Never'}</Fact>
      {chat && (
        <Fact name="Last message">
          <RelativeTime at={chat.lastMessageTime} />
        </Fact>
      )}
      <Fact name="Rating">
        {seller.reviewCount > 0
          ? `${seller.rating} of 5 (${seller.reviewCount} ${seller.reviewCount === 1 ? 'review' : 'reviews'})`
          : 'No reviews'}
      </Fact>
    </Facts>
  )
}

function Totals({ totals }: { totals: StaffSeller['totals'] }) {
  const figures: readonly [name: string, value: ReactNode][] = [
    ['Submitted', totals.submitted],
    ['Approved', totals.approved],
    ['Completed', totals.completed],
    ['Rejected', totals.rejected],
    ['Paid out', <Money key="paid" amount={totals.paid} />],
    ['Owed now', <Money key="owed" amount={totals.owed} />],
  ]
  return (
    <dl
      aria-label="Totals"
      className="grid grid-cols-2 gap-x-4 gap-y-3 rounded-lg border border-line bg-surface p-4 sm:grid-cols-3 xl:grid-cols-6"
    >
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt className="text-soft text-sm">{name}</dt>
          <dd className="figures font-semibold text-xl">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Accounts({ accounts }: { accounts: StaffSeller['accounts'] }) {
  const t = useWords()
  return (
    <section aria-label="Payout accounts" className="grid gap-1">
      <h2 className="text-base">Payout accounts</h2>
      {accounts.length === 0 && <p className="text-soft text-sm">No submission yet.</p>}
      <ul className="divide-y divide-line">
        {accounts.map((account) => {
          const type = paymentTypes.find((known) => known === account.paymentType)
          return (
            <li key={account.since + account.account} className="grid gap-0.5 py-2 text-sm">
              <span className="flex flex-wrap items-baseline justify-between gap-x-3">
                <span className="wrap-anywhere font-mono">{account.account}</span>
                <span className="text-soft">{type ? t(`payments.type.${type}`) : account.paymentType}</span>
              </span>
              <span className="wrap-anywhere text-soft">
                {account.accountName} · since <Time at={account.since} /> · {counted(account.submissions)}
              </span>
              {account.otherSellers > 0 && (
                <span className="font-semibold text-caution">
                  {account.otherSellers === 1
                    ? '1 other seller used it'
                    : `${account.otherSellers} other sellers used it`}
                </span>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

const counted = (count: number) => `${count} ${count === 1 ? 'submission' : 'submissions'}`

function Links({ links }: { links: StaffSeller['links'] }) {
  return (
    <section aria-label="Linked sellers" className="grid gap-1">
      <h2 className="text-base">Linked sellers</h2>
      {links.length === 0 && (
        <p className="text-soft text-sm">
          No other seller shares a card number, a photo or a payout account.
        </p>
      )}
      <ul className="divide-y divide-line">
        {links.map(({ user, reasons, submissionId }) => (
          <li key={user.id} className="flex flex-wrap items-center justify-between gap-x-3 py-2 text-sm">
            <span className="flex flex-wrap items-center gap-x-2">
              <TextLink to={pathTo('adminSeller', { id: user.id })} className="wrap-anywhere">
                {user.username}
              </TextLink>
              <SellerStateBadge state={user.state} />
              <span className="font-semibold text-caution">{duplicateWords(reasons)}</span>
            </span>
            <TextLink to={pathTo('admin', { id: submissionId })}>
              Newest submission<span className="sr-only"> of {user.username}</span>
            </TextLink>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Submissions({ seller, query }: SellerProps) {
  const { submissions, totals, username } = seller
  return (
    <section aria-label="Submissions" className="grid grid-cols-1 gap-2">
      <div className="flex items-center justify-between gap-4">
        <h2 className="text-base">Submissions</h2>
        {submissions.length > 0 && (
          <TextLink to={pathTo('admin', { q: username })} className="text-sm">
            Open all on the desk
          </TextLink>
        )}
      </div>
      {submissions.length === 0 ? (
        <p className="text-soft text-sm">Cards that this seller submits appear here.</p>
      ) : (
        <PagedTable
          noun="submissions"
          list={{ query, rows: submissions, total: totals.submitted }}
          columns={columns}
          whenEmpty=""
        />
      )}
    </section>
  )
}

const columns: readonly Column<StaffSeller['submissions'][number]>[] = [
  {
    name: 'Brand',
    cell: ({ id, brandName, unlistedBrand }) => (
      <span className="flex flex-wrap items-center gap-2">
        <Link to={pathTo('admin', { id })} className="font-medium underline underline-offset-4">
          {brandName}
        </Link>
        {unlistedBrand && <UnlistedBadge />}
      </span>
    ),
  },
  { name: 'Face value', isNumber: true, cell: ({ denomination }) => <Money amount={denomination} /> },
  { name: 'Quote', isNumber: true, cell: ({ quote }) => <Money amount={quote} /> },
  { name: 'Status', cell: ({ status }) => <StaffStatus status={status} /> },
  { name: 'Submitted', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
]

function Payouts({ seller: { payouts, username }, query }: SellerProps) {
  return (
    <section aria-label="Payouts" className="grid grid-cols-1 gap-2">
      <div className="flex items-center justify-between gap-4">
        <h2 className="text-base">Payouts</h2>
        <TextLink to={pathTo('adminPayouts', { view: 'all', q: username })} className="text-sm">
          Open all
        </TextLink>
      </div>
      <PagedTable
        noun="payouts"
        list={{ query, rows: payouts, total: payouts.length }}
        columns={payoutColumns}
        whenEmpty=""
      />
    </section>
  )
}

const payoutColumns: readonly Column<StaffSeller['payouts'][number]>[] = [
  {
    name: 'Payout',
    cell: ({ id, number }) => (
      <Link
        to={pathTo('adminPayouts', { view: 'all', id })}
        className="whitespace-nowrap font-medium underline underline-offset-4"
      >
        Payout {number}
      </Link>
    ),
  },
  { name: 'Amount', isNumber: true, cell: ({ amount }) => <Money amount={amount} /> },
  { name: 'State', cell: ({ state }) => <PayoutBadge state={state} /> },
  { name: 'Account', cell: (payout) => <PaidTo payout={payout} /> },
  {
    name: 'Reference',
    isFilled: ({ reference, returnReason }) => Boolean(returnReason ?? reference),
    cell: ({ reference, returnReason }) => (
      <span className="wrap-anywhere block max-w-56">{returnReason ?? reference ?? ''}</span>
    ),
  },
  {
    name: 'Changed',
    cell: ({ returnedAt, paidAt, sentAt, dueAt }) => (
      <RelativeTime at={returnedAt ?? paidAt ?? sentAt ?? dueAt} />
    ),
  },
]

function PaidTo({ payout: { paymentType, account } }: { payout: StaffSeller['payouts'][number] }) {
  const t = useWords()
  return (
    <span className="block min-w-36">
      {t(`payments.type.${paymentType}`)}
      <span className="wrap-anywhere block font-mono text-soft text-xs">{account}</span>
    </span>
  )
}
