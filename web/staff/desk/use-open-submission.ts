import { useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { rowsOf } from '#web/wire/pages.ts'
import { serverNow } from '#web/wire/server-clock.ts'
import { useOpenRow } from '../list/use-open-row.ts'
import { useSideBySide } from '../list/use-side-by-side.ts'
import { holderAt } from '../shell/claim.ts'
import { dialogIsOpen } from '../shell/keys/use-keys.ts'
import { useStaff } from '../shell/use-staff.ts'
import { useAhead } from './use-ahead.ts'
import type { useSubmissions, ViewControl } from './use-view.ts'

/** The open submission, and the way to the previous and next one. */
export function useOpenSubmission({ rows, query }: ReturnType<typeof useSubmissions>, control: ViewControl) {
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

  const { neighbor } = useOpenRow(rows, openListed, { fallback: id })

  function openListed(row: StaffSubmission): void {
    if (row.id === closedId) setClosedId(undefined)
    // Before the address updates, a new submission may appear on top. This one stays open.
    setLastId(row.id)
    control.change({ id: row.id })
  }

  /** @returns whether the list has a row at this index */
  function openAt(index: number, loaded = rows): boolean {
    const row = loaded[index]
    if (row) openListed(row)
    return row !== undefined
  }

  // Keys pressed while the list loads take effect when it has.
  const queuedKeys = useRef<('next' | 'previous')[]>([])
  const isRevealed = useRef(false)

  async function openNext() {
    if (!named && isLoading) return void queuedKeys.current.push('next')
    const below = neighbor(1)
    if (rows[below] || !query.hasNextPage) return openAt(below)
    // Waits for a page that is already being fetched.
    const { data } = await query.fetchNextPage({ cancelRefetch: false })
    openAt(below, rowsOf(data))
  }

  function openPrevious() {
    if (!named && isLoading) return void queuedKeys.current.push('previous')
    openAt(neighbor(-1))
  }

  /** After a decision: opens the next submission below, or else above, that no colleague has claimed. */
  function openNeighbor(): boolean {
    const [above, below] = [neighbor(-1), neighbor(1)]
    const after = rows.findIndex((row, index) => index >= below && isFree(row))
    return openAt(after >= 0 ? after : rows.findLastIndex((row, index) => index <= above && isFree(row)))
  }

  function isFree({ claimedBy }: StaffSubmission): boolean {
    return (holderAt(claimedBy, serverNow())?.id ?? admin.id) === admin.id
  }

  /** Keeps the open submission if the new list has it or it is in use. Otherwise opens the first, if it fits beside the list. */
  const choose = useEffectEvent(() => {
    if (!sideBySide && queuedKeys.current.length === 0) return
    const inUse = isRevealed.current || dialogIsOpen()
    if (lastId && (inUse || openRow)) control.change({ id: lastId })
    else if (!openAt(firstChoice())) setLastId(undefined)
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

  // What J or a decision opens next. On a narrow screen the list comes in between.
  const index = sideBySide ? rows.findIndex((row) => row.id === id) : -1
  const ahead = useAhead(
    index < 0
      ? []
      : rows
          .slice(index + 1)
          .filter(isFree)
          .slice(0, 2),
  )

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

  return { id, openNext, openPrevious, openNeighbor, ahead, close, onReveal }
}
