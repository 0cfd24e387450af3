import { Tabs } from '@base-ui/react/tabs'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef } from 'react'
import { routes } from '#contract/routes.ts'
import { ErrorBoundary } from '#web/kit/ErrorBoundary.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { Notice } from '#web/kit/Notice.tsx'
import { PageTitle } from '#web/kit/PageTitle.tsx'
import { Waiting } from '#web/kit/Skeleton.tsx'
import { read } from '#web/wire/read.ts'
import { useKeys } from '../keys/use-keys.ts'
import { StaffHeader } from '../StaffHeader.tsx'
import { Submissions } from '../submissions/Submissions.tsx'
import { ChatTab } from './ChatTab.tsx'
import { useTab } from './use-tab.ts'

const Users = lazyComponent(() => import('../users/Users.tsx').then((module) => module.Users))
const Transactions = lazyComponent(() =>
  import('../transactions/Transactions.tsx').then((module) => module.Transactions),
)

const tabs = [
  { value: 'submissions', label: 'Submissions', Content: Submissions, key: 'tab1' },
  { value: 'users', label: 'Users', Content: Users, key: 'tab2' },
  { value: 'transactions', label: 'Transactions', Content: Transactions, key: 'tab3' },
  { value: 'chat', label: 'Chat', Content: ChatTab, key: 'tab4' },
] as const

/** Nothing is shown until the operator has set them, and nobody else would tell. */
function UnsetContacts() {
  const { data: names = [] } = useQuery(read(routes.unsetContacts, {}))
  if (names.length === 0) return null
  return (
    <div className="px-4 pt-4 lg:px-6">
      <Notice tone="caution" title="Contact details are missing">
        Not set: {names.join(', ')}. Until the operator sets them, pages and mails lead to the contact form.
      </Notice>
    </div>
  )
}

/** As high as the window on wide screens, where its parts scroll for themselves. */
export default function Dashboard() {
  const [tab, setTab] = useTab(tabs.map(({ value }) => value))
  useKeys(Object.fromEntries(tabs.map(({ value, key }) => [key, () => setTab(value)])))
  const shownTab = useRef(tab)
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // Its key was pressed inside of the tab that is gone now.
    const isLost = document.activeElement === document.body
    if (shownTab.current !== tab && isLost) {
      list.current?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus()
    }
    shownTab.current = tab
  }, [tab])
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(value) => setTab(String(value))}
      className="flex min-h-dvh flex-col min-[1100px]:h-dvh"
    >
      <PageTitle>{tabs.find(({ value }) => value === tab)?.label ?? 'Admin'}</PageTitle>
      <StaffHeader title="Admin Dashboard">
        <Tabs.List ref={list} aria-label="Admin" className="-mb-px flex overflow-x-auto">
          {tabs.map(({ value, label }) => (
            <Tabs.Tab
              key={value}
              value={value}
              className="min-h-12 whitespace-nowrap border-transparent border-b-2 px-3 font-medium text-soft hover:text-ink focus-visible:-outline-offset-2 data-active:border-accent data-active:text-ink md:px-4 lg:min-h-14"
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
            {/* The panel itself stays for a moment when it is left, and would go on reading the address. */}
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
