import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { MessagesSquare, UserX } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { StaffSeller } from '#contract/sellers.ts'
import { paymentTypes } from '#domain/payment-methods.ts'
import { may } from '#domain/roles.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Link, useSearchParams } from '#web/kit/router/index.ts'
import { Time } from '#web/kit/Time.tsx'
import { ApiError } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'
import { pathTo } from '#web/words/paths.ts'
import { useWords } from '#web/words/words.ts'
import { EmailMark, LanguageBadge, SellerStateBadge, StaffStatus, UnlistedBadge } from '../facts/badges.tsx'
import { duplicateWords } from '../facts/duplicate-words.ts'
import { Fact, Facts, Owed, Unbroken } from '../facts/Facts.tsx'
import { Holds } from '../facts/Holds.tsx'
import { Notes } from '../facts/Notes.tsx'
import { PayoutBadge } from '../facts/PayoutBadge.tsx'
import { lastChange } from '../facts/payout-words.ts'
import { Reference } from '../facts/Reference.tsx'
import { type Column, DataTable } from '../list/DataTable.tsx'
import { List } from '../list/List.tsx'
import { QueryStatus } from '../shell/QueryStatus.tsx'
import { RelativeTime } from '../shell/RelativeTime.tsx'
import { StaffScreen } from '../shell/StaffScreen.tsx'
import { useStaff } from '../shell/use-staff.ts'
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
  const { role } = useStaff().admin
  const seesDetails = may(role, 'see_details')
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem] lg:grid-rows-[auto_1fr] 2xl:grid-cols-[minmax(0,1fr)_28rem]">
      <div className="grid grid-cols-1 gap-4 lg:col-start-2">
        <Box>
          <SellerState seller={seller} />
        </Box>
        <Box>
          <Identity seller={seller} />
        </Box>
      </div>
      <div className="grid grid-cols-1 gap-4 lg:row-span-2 lg:row-start-1">
        <Totals totals={seller.totals} />
        {seesDetails && (
          <>
            <Accounts accounts={seller.accounts} />
            <Links links={seller.links} />
          </>
        )}
        <Submissions seller={seller} query={query} />
        {may(role, 'see_payouts') && <Payouts seller={seller} query={query} />}
      </div>
      {seesDetails && (
        <div className="grid grid-cols-1 gap-4 lg:col-start-2">
          <Box>
            <Holds about={{ userId: seller.id }} />
          </Box>
          <Box>
            <Notes about={{ userId: seller.id }} />
          </Box>
        </div>
      )}
    </div>
  )
}

function Box({ children }: { children: ReactNode }) {
  return <div className="rounded-lg border border-line bg-surface p-4">{children}</div>
}

function Bounce({ bounce: { kind, reason, at } }: { bounce: NonNullable<StaffSeller['bounce']> }) {
  return (
    <span className="block text-caution text-sm">
      {kind === 'bounce' ? 'Mail to this address bounced on ' : 'The seller marked our mail as spam on '}
      <Time at={at} />
      {reason && `: ${reason}`}
    </span>
  )
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
      <Fact name="Email">
        <Unbroken text={seller.email} />
        <EmailMark confirmed={seller.verified} />
        {seller.bounce && <Bounce bounce={seller.bounce} />}
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
    ['Open', totals.open],
    ['Approved', totals.approved],
    ['Completed', totals.completed],
    ['Ever rejected', totals.rejected],
    ['Failed', totals.failed],
    ['Paid out', <Money key="paid" amount={totals.paid} />],
    ['Owed now', <Owed key="owed" totals={totals} />],
  ]
  return (
    <dl
      aria-label="Totals"
      className="grid grid-cols-2 gap-x-4 gap-y-3 rounded-lg border border-line bg-surface p-4 sm:grid-cols-4 2xl:grid-cols-8"
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

interface SectionProps {
  title: string
  /** Beside the title. */
  link?: ReactNode
  /** Shown if there are no rows. */
  whenEmpty: string
  isEmpty: boolean
  children: ReactNode
}

function Section({ title, link, whenEmpty, isEmpty, children }: SectionProps) {
  return (
    <section aria-label={title} className="grid grid-cols-1 gap-2">
      <div className="flex items-center justify-between gap-4">
        <h2 className="text-base">{title}</h2>
        {!isEmpty && link}
      </div>
      {isEmpty ? <p className="text-soft text-sm">{whenEmpty}</p> : children}
    </section>
  )
}

function Accounts({ accounts }: { accounts: StaffSeller['accounts'] }) {
  const rows = accounts.map((account) => ({ ...account, id: account.since + account.account }))
  return (
    <Section title="Payout accounts" isEmpty={rows.length === 0} whenEmpty="No submission yet.">
      <Rows caption="accounts" columns={accountColumns} rows={rows} />
    </Section>
  )
}

const accountColumns: readonly Column<StaffSeller['accounts'][number] & { id: string }>[] = [
  { name: 'Account', isTitle: true, cell: (account) => <PaidTo {...account} /> },
  { name: 'Holder', cell: ({ accountName }) => <span className="wrap-anywhere">{accountName}</span> },
  { name: 'Since', cell: ({ since }) => <Time at={since} /> },
  { name: 'Submissions', isNumber: true, cell: ({ submissions }) => submissions.toLocaleString('en-US') },
  {
    name: 'Shared',
    isFilled: ({ otherSellers }) => otherSellers > 0,
    cell: ({ otherSellers }) =>
      otherSellers > 0 && (
        <span className="font-semibold text-caution">
          {otherSellers === 1 ? '1 other seller used it' : `${otherSellers} other sellers used it`}
        </span>
      ),
  },
]

/** Linked sellers shown at first, so that the submissions stay in reach. */
const LINKS_SHOWN_FIRST = 4

function Links({ links }: { links: StaffSeller['links'] }) {
  const [allShown, showAll] = useState(false)
  const rows = links.map((link) => ({ ...link, id: link.user.id }))
  const shown = allShown ? rows : rows.slice(0, LINKS_SHOWN_FIRST)
  const hidden = rows.length - shown.length
  return (
    <Section
      title="Linked sellers"
      isEmpty={rows.length === 0}
      whenEmpty="No other seller shares a card number, a photo or a payout account."
    >
      <Rows caption="links" columns={linkColumns} rows={shown}>
        {hidden > 0 && (
          <div className="border-line border-t p-2">
            <Button variant="quiet" size="sm" wide onClick={() => showAll(true)}>
              Show {hidden} more
            </Button>
          </div>
        )}
      </Rows>
    </Section>
  )
}

const linkColumns: readonly Column<StaffSeller['links'][number] & { id: string }>[] = [
  {
    name: 'Seller',
    isTitle: true,
    cell: ({ user }) => (
      <span className="flex flex-wrap items-center gap-x-2">
        <Link
          to={pathTo('adminSeller', { id: user.id })}
          className="wrap-anywhere font-medium underline underline-offset-4"
        >
          {user.username}
        </Link>
        <SellerStateBadge state={user.state} />
      </span>
    ),
  },
  {
    name: 'Shares',
    cell: ({ reasons }) => <span className="font-semibold text-caution">{duplicateWords(reasons)}</span>,
  },
  {
    name: 'On the desk',
    cell: ({ user, submissionId }) => (
      <TextLink to={pathTo('admin', { id: submissionId })} className="whitespace-nowrap">
        Newest submission<span className="sr-only"> of {user.username}</span>
      </TextLink>
    ),
  },
]

/** A table in a box. */
function Rows<Row extends { id: string }>({
  children,
  ...table
}: { caption: string; columns: readonly Column<Row>[]; rows: readonly Row[] } & { children?: ReactNode }) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface">
      <DataTable isStacked {...table} />
      {children}
    </div>
  )
}

function Submissions({ seller, query }: SellerProps) {
  const { submissions, totals, username } = seller
  return (
    <Section
      title="Submissions"
      isEmpty={submissions.length === 0}
      whenEmpty="Cards that this seller submits appear here."
      link={
        <TextLink to={pathTo('admin', { q: username })} className="text-sm">
          Open all on the desk
        </TextLink>
      }
    >
      <List
        noun="submission"
        list={{ query, rows: submissions, total: totals.submitted }}
        columns={columns}
        empty=""
      />
    </Section>
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
  { name: 'Status', cell: (card) => <StaffStatus {...card} /> },
  { name: 'Submitted', cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
]

function Payouts({ seller: { payouts, username, mustConfirmEmail }, query }: SellerProps) {
  return (
    <Section
      title="Payouts"
      isEmpty={payouts.length === 0}
      whenEmpty="Payouts of approved cards appear here."
      link={
        <TextLink to={pathTo('adminPayouts', { view: 'all', q: username })} className="text-sm">
          Open all
        </TextLink>
      }
    >
      <List
        noun="payout"
        list={{ query, rows: payouts, total: payouts.length }}
        columns={payoutColumns(mustConfirmEmail)}
        empty=""
      />
    </Section>
  )
}

const payoutColumns = (mustConfirmEmail: boolean): readonly Column<StaffSeller['payouts'][number]>[] => [
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
  { name: 'State', cell: (payout) => <PayoutBadge {...{ payout, mustConfirmEmail }} /> },
  { name: 'Account', cell: (payout) => <PaidTo {...payout} /> },
  {
    name: 'Reference',
    isFilled: ({ reference, returnReason }) => Boolean(returnReason ?? reference),
    cell: ({ reference, returnReason }) => (
      <span className="wrap-anywhere block max-w-56">{returnReason ?? reference ?? ''}</span>
    ),
  },
  {
    name: 'Changed',
    cell: (payout) => {
      const at = payout.state === 'void' ? payout.voidedAt : lastChange(payout)[1]
      return at && <RelativeTime at={at} />
    },
  },
]

function PaidTo({ paymentType, account }: { paymentType: string; account: string }) {
  const t = useWords()
  const type = paymentTypes.find((known) => known === paymentType)
  return (
    <span className="block min-w-36">
      {type ? t(`payments.type.${type}`) : paymentType}
      <span className="wrap-anywhere block font-mono font-normal text-soft text-xs">{account}</span>
    </span>
  )
}
