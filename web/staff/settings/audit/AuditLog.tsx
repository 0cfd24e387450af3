import { ArrowUpRight, RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { type AuditEntry, auditChoices } from '#contract/audit.ts'
import { routes } from '#contract/routes.ts'
import { Button } from '#web/kit/Button.tsx'
import { CheckField } from '#web/kit/CheckField.tsx'
import { Link } from '#web/kit/router/index.ts'
import { SelectField } from '#web/kit/SelectField.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { pathTo } from '#web/words/paths.ts'
import { Reference } from '../../facts/Reference.tsx'
import type { Column } from '../../list/DataTable.tsx'
import { List } from '../../list/List.tsx'
import { useDebouncedText } from '../../list/SearchField.tsx'
import { type FiltersOf, useFilters } from '../../list/use-address.ts'
import { usePagedList } from '../../list/use-paged-list.ts'
import { When } from '../../shell/RelativeTime.tsx'
import { StaffScreen } from '../../shell/StaffScreen.tsx'
import { auditFilters, MAX_NAME_LENGTH, toQuery } from './audit-filters.ts'
import { actionWords, actorWords, detailLines, wordsOf } from './audit-words.ts'

export default function AuditLog() {
  const [filters, change] = useFilters(auditFilters)
  // Almost every action adds an entry, so each visit fetches the log again.
  const list = usePagedList(routes.auditLog, toQuery(filters), { staleTime: 0 })
  const filtered = Object.values(filters).some(Boolean)
  return (
    <StaffScreen
      isList
      title="Audit log"
      intro="Who did what, to what, and when. Entries can't be changed or removed."
    >
      <AuditFilterBar filters={filters} onChange={change}>
        {filtered && (
          <Button
            variant="quiet"
            onClick={() =>
              change({ actor: '', action: undefined, subject: '', ahead: undefined, from: '', to: '' })
            }
            className="px-3"
          >
            Clear filters
          </Button>
        )}
        <Button
          variant="secondary"
          loading={list.query.isRefetching}
          onClick={() => void list.query.refetch()}
          icon={<RefreshCw />}
        >
          Refresh
        </Button>
      </AuditFilterBar>
      <List
        noun="entry"
        list={list}
        columns={columns}
        empty={
          filtered
            ? 'Enter whole usernames, IDs and slugs, or use fewer filters.'
            : 'Actions of administrators appear here.'
        }
      />
    </StaffScreen>
  )
}

const columns: readonly Column<AuditEntry>[] = [
  { name: 'No.', isNumber: true, cell: ({ id, hash }) => <span title={`SHA-256 ${hash}`}>{id}</span> },
  { name: 'When', cell: ({ at }) => <When at={at} as="dateTime" /> },
  { name: 'Who', cell: (entry) => <Actor entry={entry} /> },
  { name: 'What', isTitle: true, cell: (entry) => <Action entry={entry} /> },
  {
    name: 'To what',
    // Nobody needs to read twice who signed in.
    isFilled: ({ actor, subject }) => subject !== null && subject !== actor,
    cell: (entry) => entry.subject !== entry.actor && <Subject entry={entry} />,
  },
]

function Actor({ entry }: { entry: AuditEntry }) {
  const { actor } = entry
  if (actor === null) return <span className="text-soft">{actorWords(entry)}</span>
  return (
    <Link
      to={pathTo('adminAudit', { actor })}
      title={`All entries by ${actor}`}
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

const choices = auditChoices
  .map((value) => ({
    value,
    label:
      value === 'revealed'
        ? 'Numbers or accounts revealed'
        : value === 'decided'
          ? 'Submission decided'
          : actionWords[value],
  }))
  .sort((one, other) => one.label.localeCompare(other.label, 'en'))

interface AuditFilterBarProps {
  filters: FiltersOf<typeof auditFilters>
  onChange: ReturnType<typeof useFilters<typeof auditFilters>>[1]
  /** More buttons. */
  children: ReactNode
}

function AuditFilterBar({ filters, onChange, children }: AuditFilterBarProps) {
  const { actor, action, subject, ahead, from, to } = filters
  return (
    <search className="grid grid-cols-2 items-end gap-3 max-sm:*:nth-3:col-span-2 sm:grid-cols-3 lg:grid-cols-[1fr_1.2fr_1.4fr_auto_auto_auto]">
      <TextFilter
        label="Who"
        placeholder="Username"
        value={actor}
        onChange={(text) => onChange({ actor: text })}
      />
      <SelectField
        label="What"
        placeholder="Everything"
        choices={choices}
        value={action ?? ''}
        onChange={({ currentTarget }) => onChange({ action: auditFilters.action(currentTarget.value) })}
      />
      <TextFilter
        label="To what"
        placeholder="ID, username or slug"
        value={subject}
        onChange={(text) => onChange({ subject: text })}
      />
      <DayFilter label="From" value={from} onChange={(day) => onChange({ from: day })} />
      <DayFilter label="To" value={to} onChange={(day) => onChange({ to: day })} />
      <div className="flex gap-2 max-sm:col-span-full sm:flex-wrap">{children}</div>
      <CheckField
        label="Hide photos that loaded before their card was opened"
        checked={!ahead}
        onChange={({ currentTarget }) => onChange({ ahead: currentTarget.checked ? undefined : 'on' })}
        className="col-span-full -my-1 justify-self-start text-sm"
      />
    </search>
  )
}

interface FilterProps {
  label: string
  placeholder?: string
  value: string
  onChange: (value: string) => void
}

function TextFilter({ label, placeholder, value, onChange }: FilterProps) {
  const { text, setText, flush } = useDebouncedText(value, onChange)
  return (
    <TextField
      label={label}
      type="search"
      placeholder={placeholder}
      maxLength={MAX_NAME_LENGTH}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      value={text}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onKeyDown={({ key }) => key === 'Enter' && flush()}
      onBlur={flush}
    />
  )
}

function DayFilter({ label, value, onChange }: FilterProps) {
  return (
    <TextField
      label={label}
      type="date"
      max="9999-12-31"
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  )
}

/** Links to all entries about the same subject, and to the subject itself. */
function Subject({ entry: { subjectKind, subject, batchNumber } }: { entry: AuditEntry }) {
  if (subject === null) return null
  if (subject === 'all') return `All ${subjectKind}`
  const open = pathsOf[subjectKind]
  return (
    <span className="flex items-center gap-1">
      {isId(subject) && batchNumber === null ? (
        <Reference id={subject} to={pathTo('adminAudit', { subject })} />
      ) : (
        <Link
          to={pathTo('adminAudit', { subject })}
          title={`All entries about this ${subjectKind.replace('_', ' ')}`}
          className="wrap-anywhere line-clamp-2 max-w-60 underline decoration-1 underline-offset-4"
        >
          <bdi>{batchNumber === null ? printable(subject) : `Batch ${batchNumber}`}</bdi>
        </Link>
      )}
      {open && (
        <Link
          to={open(subject)}
          aria-label={`Open the ${subjectKind.replace('_', ' ')} ${subject}`}
          className="-m-2.5 grid size-10 shrink-0 place-items-center rounded-md text-soft hover:text-ink"
        >
          <ArrowUpRight />
        </Link>
      )}
    </span>
  )
}

/** Ids are shown by their reference. Others are names. */
const isId = (subject: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(subject)

const pathsOf: Readonly<Record<string, ((subject: string) => string) | undefined>> = {
  submission: (id) => pathTo('admin', { id }),
  brand: (q) => pathTo('adminBrands', { q }),
  seller: (id) => pathTo('adminSeller', { id }),
  payout: (id) => pathTo('adminPayouts', { view: 'all', id }),
  payout_batch: (batch) => pathTo('adminPayouts', { batch }),
  thread: (thread) => pathTo('adminChat', { thread }),
}

/** Makes control characters visible: anyone can put any text into a refused sign-in. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '�')
}
