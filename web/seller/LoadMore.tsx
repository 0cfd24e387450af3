import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { Button } from '#web/kit/Button.tsx'
import { FieldError } from '#web/kit/Field.tsx'
import type { Page } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { rowsOf } from '#web/wire/read.ts'

export type List<Row> = UseInfiniteQueryResult<InfiniteData<Page<Row>>>

export function LoadMore<Row>({ list }: { list: List<Row> }) {
  if (!list.hasNextPage) return null
  const shown = rowsOf(list.data).length
  const total = Math.max(shown, list.data?.pages[0]?.total ?? 0)
  return (
    <div className="grid justify-items-center gap-3">
      <p className="figures text-soft text-sm">
        Showing {shown} of {total}
      </p>
      {list.isFetchNextPageError && (
        <FieldError>{messageOf(list.error, 'More could not be loaded. Please try again.')}</FieldError>
      )}
      <Button variant="secondary" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        Load more
      </Button>
    </div>
  )
}
