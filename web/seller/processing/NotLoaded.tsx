import type { SellerSubmission } from '#contract/submissions.ts'
import { messageOf } from '../../api/errors.ts'
import { Failure } from '../../ui/Notice.tsx'
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
