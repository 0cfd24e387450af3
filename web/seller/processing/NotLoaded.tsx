import type { SellerSubmission } from '#contract/submissions.ts'
import { Failure } from '#web/kit/Notice.tsx'
import { messageOf } from '#web/wire/errors.ts'
import type { List } from '../LoadMore.tsx'

/** Says that submissions could not be loaded, and tries all the lists again that want them. */
export function NotLoaded({ lists }: { lists: readonly List<SellerSubmission>[] }) {
  return (
    <Failure
      message={messageOf(lists[0]?.error, 'Your submissions could not be loaded.')}
      onRetry={() => {
        for (const list of lists) void list.refetch()
      }}
    />
  )
}
