import { referenceOf } from '#domain/reference.ts'
import { Link } from '#web/kit/router/index.ts'
import { CopyButton } from './CopyButton.tsx'

interface ReferenceProps {
  id: string
  /** What is copied instead of the id. */
  copied?: string
  /** What is copied, in words. */
  name?: string
  /** Where the reference leads. */
  to?: string
}

/** A short reference instead of an id, and the whole id to copy. */
export function Reference({ id, copied = id, name = 'ID', to }: ReferenceProps) {
  const reference = <span className="font-mono text-xs">{referenceOf(id)}</span>
  return (
    <span title={copied} className="inline-flex items-center whitespace-nowrap">
      {to ? (
        <Link to={to} className="underline decoration-1 underline-offset-4">
          {reference}
        </Link>
      ) : (
        reference
      )}
      {/* In a table, shown only in the row with the pointer or the focus. */}
      <span className="flex pointer-fine:[tr:not(:hover,:focus-within)_&]:opacity-0">
        <CopyButton name={name} value={copied} />
      </span>
    </span>
  )
}
