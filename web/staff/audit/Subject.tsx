import { ArrowUpRight } from 'lucide-react'
import type { AuditEntry } from '#contract/audit.ts'
import { Link } from '#web/kit/router/index.ts'
import { pathTo } from '#web/words/paths.ts'
import { IdCell } from '../lists/DataTable.tsx'

/** What an entry is about: everything else that happened to it, and the way to the thing itself. */
export function Subject({ entry: { subjectKind, subject } }: { entry: AuditEntry }) {
  if (subject === null) return null
  // Not one thing but all of its kind.
  if (subject === 'all') return `All ${subjectKind}`
  const open = places[subjectKind]
  return (
    <span className="flex items-start gap-1">
      <Link
        to={pathTo('adminAudit', { subject })}
        title={`Everything that happened to this ${subjectKind}`}
        className="wrap-anywhere line-clamp-2 max-w-60 underline decoration-1 underline-offset-4"
      >
        {subjectKind === 'submission' ? <IdCell>{subject}</IdCell> : <bdi>{printable(subject)}</bdi>}
      </Link>
      {open && (
        <Link
          to={open(subject)}
          aria-label={`Open the ${subjectKind} ${subject}`}
          className="-m-2.5 grid size-10 shrink-0 place-items-center rounded-md text-soft hover:text-ink"
        >
          <ArrowUpRight aria-hidden="true" className="size-4" />
        </Link>
      )}
    </span>
  )
}

const places: Readonly<Record<string, ((subject: string) => string) | undefined>> = {
  submission: (id) => pathTo('admin', { id }),
  brand: (q) => pathTo('adminBrands', { q }),
}

/** Strangers choose what a refused sign-in is about: what can't be seen is shown as something that can. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '�')
}
