import { useEffect, useEffectEvent, useRef } from 'react'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { rowsOf } from '../../api/read.ts'
import { serverNow } from '../../api/server-clock.ts'
import { useStaff } from '../StaffArea.tsx'
import { holderAt } from './claims/holder.ts'
import type { useSubmissions } from './use-submissions.ts'
import type { ViewControl } from './view.ts'

/** Which submission is open, and how to get to the one before and after it. */
export function useSelection({ rows, query }: ReturnType<typeof useSubmissions>, control: ViewControl) {
  const { id } = control.view
  const { admin } = useStaff()
  const openRow = rows.find((row) => row.id === id)

  // The address follows a moment after a key, and keys may come faster: here is what was asked for last. A
  // submission that has left the list (it no longer fits the filter) still has the place it had.
  const asked = useRef({ id, place: 0 })
  const onTheWay = useRef(new Set<string>())
  useEffect(() => {
    // What a key has asked for a while ago is no reason to go back to it.
    if (id && id !== asked.current.id && onTheWay.current.has(id)) return
    asked.current.id = id
    onTheWay.current.clear()
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
    onTheWay.current.add(row.id)
    control.change({ id: row.id })
    return true
  }

  async function openNext() {
    const { below } = neighbours()
    if (rows[below] || !query.hasNextPage) return open(rows, below)
    // A page that is on its way already is waited for.
    const { data } = await query.fetchNextPage({ cancelRefetch: false })
    open(rowsOf(data), below)
  }

  function openPrevious() {
    open(rows, neighbours().above)
  }

  /** After a decision: the next one below, or at the end above, that no colleague is working on. */
  function openNeighbour(): boolean {
    const { above, below } = neighbours()
    const after = rows.findIndex((row, place) => place >= below && isFree(row))
    return open(rows, after >= 0 ? after : rows.findLastIndex((row, place) => place <= above && isFree(row)))
  }

  function isFree({ claimedBy }: StaffSubmission): boolean {
    return (holderAt(claimedBy, serverNow())?.id ?? admin.id) === admin.id
  }

  const place = openRow ? rows.indexOf(openRow) : -1
  useEffect(() => {
    if (place >= 0) asked.current.place = place
  }, [place])

  const firstId = query.isPlaceholderData ? undefined : rows[0]?.id
  const openFirst = useEffectEvent(() => open(rows, Math.max(0, rows.findIndex(isFree))))
  useEffect(() => {
    // Into the address at once, so that a submission arriving above doesn't take the open one's place.
    if (!id && firstId) openFirst()
  }, [id, firstId])

  return { id, openRow, openNext, openPrevious, openNeighbour }
}
