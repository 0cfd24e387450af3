import { useEffect, useEffectEvent, useRef } from 'react'
import type { StaffSubmission } from '#contract/submissions.ts'
import { rowsOf } from '../../api/read.ts'
import type { useSubmissions } from './use-submissions.ts'
import type { ViewControl } from './view.ts'

/** Which submission is open, and how to get to the one before and after it. */
export function useSelection({ rows, query }: ReturnType<typeof useSubmissions>, control: ViewControl) {
  const { id } = control.view
  const openRow = rows.find((row) => row.id === id)

  // The address follows a moment after a key, and keys may come faster: here is what was asked for last. A
  // submission that has left the list (it no longer fits the filter) still has the place it had.
  const asked = useRef({ id, place: 0 })
  useEffect(() => {
    asked.current.id = id
  }, [id])

  function neighbours(): { above: number; below: number } {
    const index = rows.findIndex((row) => row.id === asked.current.id)
    const { place } = asked.current
    return index >= 0 ? { above: index - 1, below: index + 1 } : { above: place - 1, below: place }
  }

  function open(list: readonly StaffSubmission[], place: number): boolean {
    const row = list[place]
    if (!row) return false
    asked.current = { id: row.id, place }
    control.change({ id: row.id })
    return true
  }

  async function openNext() {
    const { below } = neighbours()
    if (rows[below] || !query.hasNextPage || query.isFetchingNextPage) return open(rows, below)
    const { data } = await query.fetchNextPage()
    open(rowsOf(data), below)
  }

  function openPrevious() {
    open(rows, neighbours().above)
  }

  /** After a decision: the one below, or at the end the one above. */
  function openNeighbour(): boolean {
    const { above, below } = neighbours()
    return open(rows, rows[below] ? below : above)
  }

  const place = openRow ? rows.indexOf(openRow) : -1
  useEffect(() => {
    if (place >= 0) asked.current.place = place
  }, [place])

  const firstId = query.isPlaceholderData ? undefined : rows[0]?.id
  const openFirst = useEffectEvent(() => open(rows, 0))
  useEffect(() => {
    // Into the address at once, so that a submission arriving above doesn't take the open one's place.
    if (!id && firstId) openFirst()
  }, [id, firstId])

  return { id, openRow, openNext, openPrevious, openNeighbour }
}
