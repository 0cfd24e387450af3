import { Skeleton } from '#web/kit/Skeleton.tsx'
import { earlyKeys, useKeys } from '../../shell/keys/use-keys.ts'

export function DetailSkeleton() {
  useKeys(earlyKeys)
  return (
    <div role="status" className="grid gap-5 p-5">
      <span className="sr-only">Loading the submission</span>
      <Skeleton className="h-16" />
      <Skeleton className="h-64" />
    </div>
  )
}
