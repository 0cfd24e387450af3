import { useEffect, useEffectEvent, useRef } from 'react'
import type { StaffSubmission } from '#contract/submissions.ts'
import type { useSubmissions } from './use-submissions.ts'
import type { ViewControl } from './view.ts'

/** Which submission is open, and how to get to the one before and after it. */
export function useSelection({ rows, query }: ReturnType<typeof useSubmissions>, control: ViewControl) {
  const { id } = control.view
  const index = rows.findIndex((row) => row.id === id)
  // A submission that has left the list (it no longer fits the filter) still has the place it had.
  const place = useRef({ index: 0, left: false })
  if (index >= 0) place.current = { index, left: false }
  else place.current.left = true

  const open = (row: StaffSubmission | undefined) => row && control.change({ id: row.id })

  async function openNext() {
    const next = place.current.left ? place.current.index : place.current.index + 1
    const known = rows[next]
    if (known) return open(known)
    if (!query.hasNextPage || query.isFetchingNextPage) return
    const { data } = await query.fetchNextPage()
    open(data?.pages.flatMap((page) => page.rows)[next])
  }

  const openPrevious = () => open(rows[place.current.index - 1])

  /** After a decision: the one below, or the last one's neighbour above. */
  const openNeighbour = () => open(rows[place.current.index + 1] ?? rows[place.current.index - 1])

  const firstId = query.isPlaceholderData ? undefined : rows[0]?.id
  const openFirst = useEffectEvent((first: string) => control.change({ id: first }))
  useEffect(() => {
    // Into the address at once, so that a submission arriving above doesn't take the open one's place.
    if (!id && firstId) openFirst(firstId)
  }, [id, firstId])

  return { id, index, openNext, openPrevious, openNeighbour }
}
