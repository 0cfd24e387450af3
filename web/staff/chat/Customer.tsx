import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { routes } from '#contract/routes.ts'
import type { StaffSeller } from '#contract/sellers.ts'
import type { ChatThread } from '#contract/staff-chat.ts'
import { may } from '#domain/roles.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { Money } from '#web/kit/Money.tsx'
import { Time } from '#web/kit/Time.tsx'
import { read } from '#web/wire/read.ts'
import { pathTo } from '#web/words/paths.ts'
import { EmailMark, SellerStateBadge } from '../facts/badges.tsx'
import { Owed } from '../facts/Facts.tsx'
import { Notes } from '../facts/Notes.tsx'
import { QueryStatus } from '../shell/QueryStatus.tsx'
import { RelativeTime } from '../shell/RelativeTime.tsx'
import { useStaff } from '../shell/use-staff.ts'
import { SellerCards } from './SellerCards.tsx'

interface CustomerProps {
  thread: ChatThread
  /** Undefined beside the conversation, where it always shows. */
  onClose: (() => void) | undefined
}

/** Who the customer of a conversation is: for a seller, also their cards and notes. */
export function Customer({ thread, onClose }: CustomerProps) {
  const { userId, username } = thread
  return (
    <aside
      aria-label={`About ${username}`}
      className="min-h-0 min-w-0 divide-y divide-line overflow-y-auto border-line xl:border-l"
    >
      {onClose && (
        <div className="p-2">
          <Button variant="quiet" size="sm" onClick={onClose} icon={<ArrowLeft />}>
            Back to the messages
          </Button>
        </div>
      )}
      {userId ? <Seller userId={userId} email={thread.userEmail} /> : <Visitor thread={thread} />}
    </aside>
  )
}

function Seller({ userId, email }: { userId: string; email: string }) {
  const query = useQuery(read(routes.staffSeller, { query: { id: userId } }))
  const { admin } = useStaff()
  const seller = query.data
  return (
    <>
      <Section>
        {seller ? <Identity seller={seller} /> : <QueryStatus query={query} noun="the seller" rows={4} />}
      </Section>
      <SellerCards userId={userId} email={email} />
      {may(admin.role, 'see_details') && (
        <Section>
          <Notes about={{ userId }} />
        </Section>
      )}
    </>
  )
}

function Section({ children }: { children: ReactNode }) {
  return <div className="px-4 py-3">{children}</div>
}

function Identity({ seller }: { seller: StaffSeller }) {
  const { totals } = seller
  return (
    <div className="grid gap-2">
      <Title link={<TextLink to={pathTo('adminSeller', { id: seller.id })}>Seller page</TextLink>}>
        Seller
      </Title>
      <div className="grid gap-0.5">
        <p className="flex flex-wrap items-center gap-x-2">
          <bdi className="wrap-anywhere font-medium">
            {seller.firstName} {seller.lastName}
          </bdi>
          <SellerStateBadge state={seller.state} />
        </p>
        <p className="text-sm wrap-anywhere">{seller.email}</p>
        <EmailMark confirmed={seller.verified} />
      </div>
      <dl className="grid gap-1 text-sm">
        {seller.phoneNumber && <Row name="Phone">{seller.phoneNumber}</Row>}
        <Row name="Member since">
          <Time at={seller.createdAt} />
        </Row>
        <Row name="Last visit">{seller.lastVisit ? <RelativeTime at={seller.lastVisit} /> : 'Never'}</Row>
        <Row name="Cards completed">
          {totals.completed} of {totals.submitted}
        </Row>
        <Row name="Paid">
          <Money amount={totals.paid} />
        </Row>
        <Row name="Owed now">
          <Owed totals={totals} />
        </Row>
      </dl>
    </div>
  )
}

function Title({ children, link }: { children: string; link: ReactNode }) {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <h3 className="text-base">{children}</h3>
      <span className="text-sm">{link}</span>
    </div>
  )
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="shrink-0 text-soft">{name}</dt>
      <dd className="figures min-w-0 text-right wrap-anywhere">{children}</dd>
    </div>
  )
}

/** Characters of the session id that visitors see on their page and can tell us. */
const SESSION_END = 8

function Visitor({ thread: { username, userEmail, sessionId } }: { thread: ChatThread }) {
  return (
    <div className="grid gap-2 px-4 py-3">
      <Title link={<TextLink to={pathTo('admin', { q: userEmail })}>Find submissions</TextLink>}>
        Visitor
      </Title>
      <div className="grid gap-0.5">
        <bdi className="font-medium wrap-anywhere">{username}</bdi>
        <p className="text-sm wrap-anywhere">{userEmail}</p>
      </div>
      <dl className="grid gap-1 text-sm">
        <Row name="Session">
          <span className="font-mono">{sessionId?.slice(-SESSION_END)}</span>
        </Row>
      </dl>
      <p className="text-soft text-sm">
        Anyone can type any name and email into the contact form. Visitors see the same last characters of
        their session.
      </p>
    </div>
  )
}
