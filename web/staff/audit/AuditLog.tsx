import { RefreshCw } from 'lucide-react'
import type { AuditEntry } from '#contract/audit.ts'
import { routes } from '#contract/routes.ts'
import { Button } from '#web/kit/Button.tsx'
import { Link } from '#web/kit/router/index.ts'
import { pathTo } from '#web/words/paths.ts'
import type { Column } from '../lists/DataTable.tsx'
import { PagedTable } from '../lists/PagedTable.tsx'
import { usePagedList } from '../lists/use-paged-list.ts'
import { When } from '../lists/When.tsx'
import { StaffScreen } from '../StaffScreen.tsx'
import { AuditFilterBar } from './AuditFilterBar.tsx'
import { toQuery, useAuditFilters } from './audit-address.ts'
import { actorWords, detailLines, wordsOf } from './audit-words.ts'
import { Subject } from './Subject.tsx'

/** Who did what to what, and when. Nothing here can be changed; the database itself sees to that. */
export default function AuditLog() {
  const [filters, change, clear] = useAuditFilters()
  // Whatever anybody does adds to it, so that coming back here asks anew.
  const list = usePagedList(routes.auditLog, toQuery(filters), { staleTime: 0 })
  const filtered = Object.values(filters).some(Boolean)
  return (
    <StaffScreen
      title="Audit log"
      intro="Who did what to what, and when. Entries can't be changed or removed."
    >
      <AuditFilterBar filters={filters} onChange={change}>
        {filtered && (
          <Button variant="quiet" onClick={clear} className="px-3">
            Clear filters
          </Button>
        )}
        <Button
          variant="secondary"
          loading={list.query.isRefetching}
          onClick={() => void list.query.refetch()}
          icon={<RefreshCw aria-hidden="true" className="size-4" />}
        >
          Refresh
        </Button>
      </AuditFilterBar>
      <PagedTable
        noun="entries"
        list={list}
        columns={columns}
        whenEmpty={
          filtered
            ? 'Usernames, IDs and slugs count whole. Try fewer filters.'
            : 'What administrators do is written down here.'
        }
      />
    </StaffScreen>
  )
}

const columns: readonly Column<AuditEntry>[] = [
  { name: 'No.', isNumber: true, cell: ({ id, hash }) => <span title={`SHA-256 ${hash}`}>{id}</span> },
  { name: 'When', cell: ({ at }) => <When at={at} /> },
  { name: 'Who', cell: (entry) => <Actor entry={entry} /> },
  { name: 'What', cell: (entry) => <Action entry={entry} /> },
  { name: 'To what', cell: (entry) => <Subject entry={entry} /> },
]

function Actor({ entry }: { entry: AuditEntry }) {
  const { actor } = entry
  if (actor === null) return <span className="text-soft">{actorWords(entry)}</span>
  return (
    <Link
      to={pathTo('adminAudit', { actor })}
      title={`Everything that ${actor} did`}
      className="wrap-anywhere block min-w-20 underline decoration-1 underline-offset-4"
    >
      <bdi>{actor}</bdi>
    </Link>
  )
}

function Action({ entry }: { entry: AuditEntry }) {
  const lines = detailLines(entry)
  return (
    <div className="wrap-anywhere min-w-52 max-w-2xl">
      <p className="font-medium">{wordsOf(entry.action)}</p>
      {lines.length > 0 && (
        <ul className="flex flex-wrap gap-x-5 text-soft">
          {lines.map((line) => (
            <li key={line}>
              <bdi>{line}</bdi>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
