import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { rowsOf } from '#web/wire/pages.ts'
import { serverNow } from '#web/wire/server-clock.ts'
import { dialogIsOpen } from '../keys/use-keys.ts'
import { useStaff } from '../use-staff.ts'
import { holderAt } from './claims/claim.ts'
import { useSideBySide } from './use-side-by-side.ts'
import type { useSubmissions, ViewControl } from './use-view.ts'

/** The open submission, and the way to the previous and next one. */
export function useSelection({ rows, query }: ReturnType<typeof useSubmissions>, control: ViewControl) {
  const { admin } = useStaff()
  const sideBySide = useSideBySide()
  // The address updates a moment later, and until then has the id of a submission that was closed.
  const [closedId, setClosedId] = useState<string>()
  // A new filter removes the id from the address. The submission stays open until the list has loaded.
  const named = control.view.id === closedId ? undefined : control.view.id
  const [lastId, setLastId] = useState(named)
  if (named && named !== lastId) setLastId(named)
  const id = named ?? lastId
  const isLoading = query.isPending || query.isPlaceholderData
  const openRow = rows.find((row) => row.id === id)

  // The last submission requested, because keys may be faster than the address. One that has left the list keeps its
  // position.
  const asked = useRef({ id, position: 0 })
  const requestedIds = useRef(new Set<string>())
  useEffect(() => {
    // An earlier key's address that arrives late must not undo a later key.
    if (id && id !== asked.current.id && requestedIds.current.has(id)) return
    asked.current.id = id
    requestedIds.current.clear()
  }, [id])

  function neighbors(): { above: number; below: number } {
    const index = rows.findIndex((row) => row.id === asked.current.id)
    const { position } = asked.current
    return index >= 0 ? { above: index - 1, below: index + 1 } : { above: position - 1, below: position }
  }

  function open(list: readonly StaffSubmission[], position: number): boolean {
    const row = list[position]
    if (!row) return false
    if (row.id === closedId) setClosedId(undefined)
    asked.current = { id: row.id, position }
    requestedIds.current.add(row.id)
    control.change({ id: row.id })
    return true
  }

  /** Opens a submission that the list may not have loaded. */
  function openById(next: string): void {
    const position = rows.findIndex((row) => row.id === next)
    if (position >= 0) open(rows, position)
    else {
      asked.current = { ...asked.current, id: next }
      requestedIds.current.add(next)
      control.change({ id: next })
    }
  }

  // Keys pressed while the list loads take effect when it has.
  const queuedKeys = useRef<('next' | 'previous')[]>([])
  const isRevealed = useRef(false)

  async function openNext() {
    if (!named && isLoading) return void queuedKeys.current.push('next')
    const { below } = neighbors()
    if (rows[below] || !query.hasNextPage) return open(rows, below)
    // Waits for a page that is already being fetched.
    const { data } = await query.fetchNextPage({ cancelRefetch: false })
    open(rowsOf(data), below)
  }

  function openPrevious() {
    if (!named && isLoading) return void queuedKeys.current.push('previous')
    open(rows, neighbors().above)
  }

  /** After a decision: opens the next submission below, else above, that no colleague has claimed. */
  function openNeighbor(): boolean {
    const { above, below } = neighbors()
    const after = rows.findIndex((row, position) => position >= below && isFree(row))
    return open(
      rows,
      after >= 0 ? after : rows.findLastIndex((row, position) => position <= above && isFree(row)),
    )
  }

  function isFree({ claimedBy }: StaffSubmission): boolean {
    return (holderAt(claimedBy, serverNow())?.id ?? admin.id) === admin.id
  }

  const position = openRow ? rows.indexOf(openRow) : -1
  useEffect(() => {
    if (position >= 0) asked.current.position = position
  }, [position])

  /** Keeps the open submission if the new list has it or it is in use. Otherwise opens the first, if it fits beside the list. */
  const choose = useEffectEvent(() => {
    if (!sideBySide && queuedKeys.current.length === 0) return
    const inUse = isRevealed.current || dialogIsOpen()
    if (lastId && (inUse || openRow)) control.change({ id: lastId })
    else if (!open(rows, firstChoice())) setLastId(undefined)
    for (const key of queuedKeys.current.splice(0)) {
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
    // Puts the id into the address, so that a new submission on top does not replace the open one.
    if (!named && query.isSuccess && !isLoading) choose()
  }, [named, query.isSuccess, isLoading, firstId])

  /** After Clear All. When the list has reloaded, this submission opens again if it still exists, else the first. */
  function close() {
    setClosedId(id)
    setLastId(undefined)
    control.change({ id: undefined })
  }

  /** A submission with revealed numbers stays open even if the list changes. */
  const onReveal = useCallback((revealed: boolean) => {
    isRevealed.current = revealed
  }, [])

  return { id, openRow, openById, openNext, openPrevious, openNeighbor, close, onReveal }
}
