import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { ChevronLeft, CircleCheck, Eye, OctagonX, PowerOff, SearchX } from 'lucide-react'
import { useState } from 'react'
import type { Policy, PolicyVersion, PolicyWeek } from '#contract/policies.ts'
import type { Answer } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { inDollars } from '#domain/money.ts'
import { type PolicyMode, policyModes } from '#domain/policy.ts'
import { ActionDialog } from '#web/forms/ActionForm.tsx'
import { Badge, type BadgeLook } from '#web/kit/Badge.tsx'
import { Button, ButtonLink } from '#web/kit/Button.tsx'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { Ledger, LedgerRow, Panel } from '#web/kit/Panel.tsx'
import { useNavigate } from '#web/kit/router/index.ts'
import { Time } from '#web/kit/Time.tsx'
import { call } from '#web/wire/call.ts'
import { read } from '#web/wire/read.ts'
import { paths, pathTo } from '#web/words/paths.ts'
import { type Column, DataTable } from '../../list/DataTable.tsx'
import { QueryStatus } from '../../shell/QueryStatus.tsx'
import { When } from '../../shell/RelativeTime.tsx'
import { PolicyForm } from './PolicyForm.tsx'

interface PolicyPageProps {
  /** Or `new`. */
  id: string
  query: UseQueryResult<Answer<typeof routes.policies>>
  mayWrite: boolean
}

/** One policy: what it decides by, what that would have done, what it did, and its versions. */
export function PolicyPage({ id, query, mayWrite }: PolicyPageProps) {
  const navigate = useNavigate()
  const policy = query.data?.policies.find((one) => one.id === id)
  if (!query.data) return <QueryStatus query={query} noun="the policy" rows={4} />
  if (id === 'new' && mayWrite) {
    return (
      <>
        <BackToPolicies />
        <h2 className="text-xl">New policy</h2>
        <PolicyForm
          onDone={(added) => navigate(pathTo('adminPolicies', { id: added.id }), { replace: true })}
        />
      </>
    )
  }
  if (!policy) {
    return (
      <EmptyState icon={<SearchX />} title="Policy not found" action={<BackToPolicies />}>
        The link is incomplete.
      </EmptyState>
    )
  }
  return (
    <>
      <BackToPolicies />
      <section className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="grid gap-1">
          <h2 className="wrap-anywhere text-xl">{policy.name}</h2>
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-soft text-sm">
            <ModeBadge mode={policy.mode} isStopped={query.data.stoppedAt !== null} /> Version{' '}
            {policy.version}, written by {policy.writtenBy}
          </p>
        </div>
        {mayWrite && <ModeButtons policy={policy} />}
      </section>
      <Report id={id} />
      {mayWrite ? <PolicyForm key={policy.version} policy={policy} /> : <Terms policy={policy} />}
      <Versions id={id} />
    </>
  )
}

function BackToPolicies() {
  return (
    <div>
      <ButtonLink
        to={paths.adminPolicies}
        variant="quiet"
        size="sm"
        className="-ml-2 px-2"
        icon={<ChevronLeft />}
      >
        All policies
      </ButtonLink>
    </div>
  )
}

const modeLooks: Readonly<Record<PolicyMode, BadgeLook & { name: string; turn: string; means: string }>> = {
  off: {
    ...{ name: 'Off', tone: 'neutral', icon: PowerOff, turn: 'Turn off' },
    means: 'It decides nothing, and records nothing.',
  },
  shadow: {
    ...{ name: 'Shadow mode', tone: 'info', icon: Eye, turn: 'Shadow mode' },
    means: 'It records what it would have approved. People decide on every card.',
  },
  on: {
    ...{ name: 'On', tone: 'positive', icon: CircleCheck, turn: 'Turn on' },
    means: 'It approves new cards without a person, and waiting ones whose balance is asked again.',
  },
}

/** @param isStopped all policies are: shadow mode continues */
export function ModeBadge({ mode, isStopped = false }: { mode: PolicyMode; isStopped?: boolean }) {
  if (isStopped && mode === 'on') {
    return (
      <Badge tone="caution" icon={OctagonX}>
        Stopped
      </Badge>
    )
  }
  const { name, ...look } = modeLooks[mode]
  return <Badge {...look}>{name}</Badge>
}

function ModeButtons({ policy: { id, name, mode: current, version } }: { policy: Policy }) {
  const [asking, setAsking] = useState<PolicyMode>()
  const others = policyModes.filter((mode) => mode !== current)
  return (
    <div className="flex flex-wrap gap-2 sm:ml-auto">
      {others.map((mode) => (
        <Button key={mode} variant="secondary" size="sm" onClick={() => setAsking(mode)}>
          {modeLooks[mode].turn}
        </Button>
      ))}
      {others.map((mode) => (
        <ActionDialog
          key={mode}
          open={asking === mode}
          onClose={() => setAsking(undefined)}
          title={`${modeLooks[mode].turn}: ${name}?`}
          send={() => call(routes.setPolicyMode, { params: { id }, body: { mode, version } })}
          failed="The mode could not be changed."
          done={() => ({ title: 'Policy Changed', description: `${name}: ${modeLooks[mode].name}` })}
          refreshes={[routes.policies, routes.policyVersions, routes.auditLog]}
          submit={modeLooks[mode].turn}
          focusSubmit
        >
          <p>{modeLooks[mode].means}</p>
        </ActionDialog>
      ))}
    </div>
  )
}

/** For those who may only read. */
function Terms({ policy }: { policy: Policy }) {
  return (
    <Panel className="py-2 md:py-3">
      <Ledger>
        <LedgerRow name="Brands" long>
          {policy.brands.toSorted().join(', ')}
        </LedgerRow>
        <LedgerRow name="Highest face value">{inDollars(policy.maxFaceValue)}</LedgerRow>
        <LedgerRow name="Age of the account">{policy.minAccountDays} days</LedgerRow>
        <LedgerRow name="Completed sales">{policy.minCompletedSales}</LedgerRow>
        <LedgerRow name="Wait">{policy.waitMinutes} minutes</LedgerRow>
        <LedgerRow name="Limit for a seller">{inDollars(policy.sellerLimit)} a day</LedgerRow>
        <LedgerRow name="Limit for the shop">{inDollars(policy.shopLimit)} a day</LedgerRow>
        <LedgerRow name="Sample">{policy.samplePercent}%</LedgerRow>
        <LedgerRow name="Pays at once">{policy.paysAtOnce ? 'Yes' : 'No'}</LedgerRow>
      </Ledger>
    </Panel>
  )
}

const boxClass = 'grid overflow-hidden rounded-lg border border-line bg-surface'

function Report({ id }: { id: string }) {
  const query = useQuery({ ...read(routes.policyReport, { params: { id } }), staleTime: 0 })
  return (
    <section aria-labelledby="report" className={boxClass}>
      <header className="grid gap-1 border-line border-b px-4 py-3">
        <h3 id="report" className="text-base">
          Beside people’s decisions
        </h3>
        <p className="max-w-prose text-pretty text-soft text-sm">
          Cards that met every condition, even if a limit, the sample or a stop left them to a person. The
          cost is the price of cards that people rejected, or that failed or turned out bad.
        </p>
      </header>
      <QueryStatus query={query} noun="the report" rows={2} />
      {query.data?.length === 0 && <p className="px-4 py-3 text-soft text-sm">No card of its brands yet.</p>}
      {query.data && query.data.length > 0 && (
        <DataTable
          isStacked
          caption="Decisions by week"
          columns={reportColumns}
          rows={query.data.map((row) => ({ ...row, id: row.week }))}
        />
      )}
    </section>
  )
}

const reportColumns: readonly Column<PolicyWeek & { id: string }>[] = [
  { name: 'Week of', isTitle: true, cell: ({ week }) => <Time at={week} /> },
  { name: 'Met everything', isNumber: true, cell: ({ passed }) => passed },
  { name: 'Approved by it', isNumber: true, cell: ({ approved }) => approved },
  { name: 'Same', isNumber: true, cell: ({ same }) => same },
  {
    name: 'Different',
    isNumber: true,
    cell: ({ different }) => (
      <span className={different > 0 ? 'font-semibold text-caution' : undefined}>{different}</span>
    ),
  },
  { name: 'Cost', isNumber: true, cell: ({ cost }) => inDollars(cost) },
  { name: 'Still open', isNumber: true, cell: ({ open }) => open },
  { name: 'Did not meet all', isNumber: true, cell: ({ people }) => people },
]

function Versions({ id }: { id: string }) {
  const query = useQuery({ ...read(routes.policyVersions, { params: { id } }), staleTime: 0 })
  return (
    <section aria-labelledby="versions" className={boxClass}>
      <h3 id="versions" className="border-line border-b px-4 py-3 text-base">
        Versions
      </h3>
      <QueryStatus query={query} noun="the versions" rows={2} />
      {query.data && (
        <DataTable
          isStacked
          caption="Versions"
          columns={versionColumns}
          rows={query.data.map((row) => ({ ...row, id: String(row.version) }))}
        />
      )}
    </section>
  )
}

const versionColumns: readonly Column<PolicyVersion>[] = [
  { name: 'Version', isTitle: true, cell: ({ version, name }) => `${version} · ${name}` },
  { name: 'Mode', cell: ({ mode }) => <ModeBadge mode={mode} /> },
  { name: 'By', cell: ({ by }) => by },
  { name: 'When', cell: ({ at }) => <When at={at} as="dateTime" /> },
  { name: 'Up to', isNumber: true, cell: ({ maxFaceValue }) => inDollars(maxFaceValue) },
  { name: 'Account', isNumber: true, cell: ({ minAccountDays }) => `${minAccountDays} days` },
  { name: 'Sales', isNumber: true, cell: ({ minCompletedSales }) => minCompletedSales },
  { name: 'Wait', isNumber: true, cell: ({ waitMinutes }) => `${waitMinutes} min` },
  {
    name: 'Limits',
    isNumber: true,
    cell: ({ sellerLimit, shopLimit }) => `${inDollars(sellerLimit)} · ${inDollars(shopLimit)}`,
  },
  { name: 'Sample', isNumber: true, cell: ({ samplePercent }) => `${samplePercent}%` },
  { name: 'Pays at once', cell: ({ paysAtOnce }) => (paysAtOnce ? 'Yes' : 'No') },
]
