import type { ReactNode } from 'react'
import { Failure } from '#web/kit/Notice.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { messageOf } from '#web/wire/errors.ts'

interface QueryStatusProps {
  query: { isPending: boolean; isError: boolean; error: Error | null; refetch: () => Promise<unknown> }
  /** What loads, with its article: "the history". */
  noun: string
  /** Placeholder rows while it loads. */
  rows?: number
  /** Shown while it loads instead of placeholder rows. */
  loading?: ReactNode
}

/** Says that a query is loading or has failed, and offers to try again. Nothing once it has succeeded. */
export function QueryStatus({ query, noun, rows = 1, loading }: QueryStatusProps) {
  if (query.isPending) return loading ?? <SkeletonRows rows={rows} label={`Loading ${noun}`} />
  if (!query.isError) return null
  const message = `${noun.charAt(0).toUpperCase()}${noun.slice(1)} could not be loaded.`
  return <Failure message={messageOf(query.error, message)} onRetry={() => void query.refetch()} />
}
