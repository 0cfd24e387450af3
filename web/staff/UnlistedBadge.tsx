import { Store } from 'lucide-react'

/** Marks a brand that is not in the catalog. */
export function UnlistedBadge() {
  return (
    <span
      title="Not in the catalog. Quoted at the terms for unlisted brands"
      className="inline-flex shrink-0 items-center gap-1 self-center whitespace-nowrap rounded-full bg-caution-quiet px-2 py-0.5 font-semibold text-caution text-xs"
    >
      <Store aria-hidden="true" className="size-3.5" />
      Unlisted<span className="sr-only"> brand</span>
    </span>
  )
}
