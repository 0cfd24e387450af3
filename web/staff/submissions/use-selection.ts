import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { rowsOf } from '#web/wire/read.ts'
import { serverNow } from '#web/wire/server-clock.ts'
import { dialogIsOpen } from '../keys/use-keys.ts'
import { useStaff } from '../use-staff.ts'
import { holderAt } from './claims/claim.ts'
import type { useSubmissions, ViewControl } from './use-view.ts'

/** Which submission is open, and how to get to the one before and after it. */
export function useSelection({ rows, query }: ReturnType<typeof useSubmissions>, control: ViewControl) {
  const { admin } = useStaff()
  // The address follows a moment after: a submission that was closed is still in it.
  const [closedId, setClosedId] = useState<string>()
  // A new filter takes the id out of the address. What was open stays until the list has its answer.
  const named = control.view.id === closedId ? undefined : control.view.id
  const [lastId, setLastId] = useState(named)
  if (named && named !== lastId) setLastId(named)
  const id = named ?? lastId
  const isLoading = query.isPending || query.isPlaceholderData
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
    if (row.id === closedId) setClosedId(undefined)
    asked.current = { id: row.id, place }
    onTheWay.current.add(row.id)
    control.change({ id: row.id })
    return true
  }

  // Keys pressed before the list has its answer count once it is there.
  const keysToCome = useRef<('next' | 'previous')[]>([])
  const isRevealed = useRef(false)

  async function openNext() {
    if (!named && isLoading) return void keysToCome.current.push('next')
    const { below } = neighbours()
    if (rows[below] || !query.hasNextPage) return open(rows, below)
    // A page that is on its way already is waited for.
    const { data } = await query.fetchNextPage({ cancelRefetch: false })
    open(rowsOf(data), below)
  }

  function openPrevious() {
    if (!named && isLoading) return void keysToCome.current.push('previous')
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

  /** Keeps the open submission if the new list has it or it is in use; otherwise opens the first one. */
  const choose = useEffectEvent(() => {
    const inUse = isRevealed.current || dialogIsOpen()
    if (lastId && (inUse || openRow)) control.change({ id: lastId })
    else if (!open(rows, firstChoice())) setLastId(undefined)
    for (const key of keysToCome.current.splice(0)) {
      if (key === 'next') void openNext()
      else openPrevious()
    }
  })
  function firstChoice(): number {
    const closed = rows.findIndex((row) => row.id === closedId)
    return closed >= 0 ? closed : Math.max(0, rows.findIndex(isFree))
  }

  const firstId = rows[0]?.id
  useEffect(() => {
    // Into the address at once, so that a submission arriving above doesn't take the open one's place.
    if (!named && query.isSuccess && !isLoading) choose()
  }, [named, query.isSuccess, isLoading, firstId])

  /** Clear All may have erased what is open. The list's next answer opens it again or opens the first one. */
  function close() {
    setClosedId(id)
    setLastId(undefined)
    control.change({ id: undefined })
  }

  /** A submission with revealed numbers stays open whatever the list shows. */
  const onReveal = useCallback((revealed: boolean) => {
    isRevealed.current = revealed
  }, [])

  return { id, openRow, openNext, openPrevious, openNeighbour, close, onReveal }
}
