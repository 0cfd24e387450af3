import { Tabs } from '@base-ui/react/tabs'
import { useQuery } from '@tanstack/react-query'
import { MessagesSquare } from 'lucide-react'
import { Suspense, useEffect, useRef } from 'react'
import { routes } from '#contract/routes.ts'
import { may } from '#domain/roles.ts'
import { ButtonLink } from '#web/kit/Button.tsx'
import { cx } from '#web/kit/cx.ts'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { ErrorBoundary } from '#web/kit/ErrorBoundary.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { Notice } from '#web/kit/Notice.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { useSearchParams } from '#web/kit/router/index.ts'
import { Waiting } from '#web/kit/Skeleton.tsx'
import { read } from '#web/wire/read.ts'
import { paths } from '#web/words/paths.ts'
import { useKeys } from '../shell/keys/use-keys.ts'
import { StaffHeader } from '../shell/StaffHeader.tsx'
import { useStaff } from '../shell/use-staff.ts'
import { Submissions } from './Submissions.tsx'

const Users = lazyComponent(() => import('../sellers/Users.tsx').then((module) => module.Users))
const Transactions = lazyComponent(() => import('./Transactions.tsx').then((module) => module.Transactions))

const allTabs = [
  {
    value: 'submissions',
    label: 'Submissions',
    Content: Submissions,
    key: 'tab1',
    capability: 'see_submissions',
  },
  { value: 'users', label: 'Users', Content: Users, key: 'tab2', capability: 'see_sellers' },
  {
    value: 'transactions',
    label: 'Transactions',
    Content: Transactions,
    key: 'tab3',
    capability: 'see_submissions',
  },
  { value: 'chat', label: 'Chat', Content: ChatTab, key: 'tab4', capability: 'chat' },
] as const

/** Visitors see no contact details until the operator sets them. */
function UnsetContacts() {
  const { data: names = [] } = useQuery(read(routes.unsetContacts, {}))
  if (names.length === 0) return null
  return (
    <div className="px-4 pt-4 lg:px-6">
      <Notice tone="caution" title="Contact details are missing">
        Not set: {names.join(', ')}. Until the operator sets them, pages and emails link to the contact form.
      </Notice>
    </div>
  )
}

export default function Dashboard() {
  const { role } = useStaff().admin
  const tabs = allTabs.filter(({ capability }) => may(role, capability))
  const [tab, setTab] = useTab(tabs.map(({ value }) => value))
  useKeys(Object.fromEntries(tabs.map(({ value, key }) => [key, () => setTab(value)])))
  const shownTab = useRef(tab)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const focused = document.activeElement
    // The tab that disappeared had the focus, or the key of another tab was pressed on a tab.
    const isBehind = focused === document.body || list.current?.contains(focused)
    if (shownTab.current !== tab && isBehind) {
      list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus()
    }
    shownTab.current = tab
  }, [tab])
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(value) => setTab(String(value))}
      className="flex min-h-dvh flex-col has-[[data-fills-screen]]:h-dvh min-[1100px]:h-dvh"
    >
      <PageTitle>{tabs.find(({ value }) => value === tab)?.label ?? 'Admin'}</PageTitle>
      <StaffHeader title="Admin Dashboard">
        <Tabs.List ref={list} aria-label="Admin" className="-mb-px flex overflow-x-auto">
          {tabs.map(({ value, label }) => (
            <Tabs.Tab
              key={value}
              value={value}
              className={cx(
                'min-h-12 whitespace-nowrap border-b-2 px-3 font-medium focus-visible:-outline-offset-2 max-sm:px-2 max-sm:text-sm md:px-4 lg:min-h-14',
                value === tab ? 'border-accent text-ink' : 'border-transparent text-soft hover:text-ink',
              )}
            >
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </StaffHeader>
      <main id="content" tabIndex={-1} className="flex min-h-0 flex-1 flex-col outline-none">
        <UnsetContacts />
        {tabs.map(({ value, Content }) => (
          <Tabs.Panel key={value} value={value} className="flex min-h-0 flex-1 flex-col outline-none">
            {/* A panel stays mounted for a moment after its tab is left, and would read the next tab's address. */}
            {value === tab && (
              <ErrorBoundary heading="h2">
                <Suspense fallback={<Waiting>Loading...</Waiting>}>
                  <Content />
                </Suspense>
              </ErrorBoundary>
            )}
          </Tabs.Panel>
        ))}
      </main>
    </Tabs.Root>
  )
}

function ChatTab() {
  return (
    <div className="mx-auto w-full max-w-2xl px-4 py-10">
      <EmptyState
        icon={<MessagesSquare />}
        title="Chat Management"
        action={<ButtonLink to={paths.adminChat}>Open Chat Management</ButtonLink>}
      >
        View and respond to user messages
      </EmptyState>
    </div>
  )
}

/** The tab in the address, or else the first. Each tab keeps its filters until you return. */
function useTab(tabs: readonly string[]): [tab: string, select: (tab: string) => void] {
  const [address, setAddress] = useSearchParams()
  const left = useRef(new Map<string, URLSearchParams>())
  const named = address.get('tab') ?? ''
  const tab = tabs.includes(named) ? named : (tabs[0] ?? '')
  function select(next: string) {
    left.current.set(tab, address)
    setAddress(left.current.get(next) ?? { tab: next })
  }
  return [tab, select]
}
