import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { routes } from '#contract/routes.ts'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { isTyping } from '#web/kit/is-typing.ts'
import { rowsOf } from '#web/wire/pages.ts'
import { read } from '#web/wire/read.ts'
import { serverNow } from '#web/wire/server-clock.ts'
import { useOpenRow } from '../list/use-open-row.ts'
import { useSideBySide } from '../list/use-side-by-side.ts'
import { holderAt } from '../shell/claim.ts'
import { isCardKey } from '../shell/keys/key-table.ts'
import { useStaff } from '../shell/use-staff.ts'
import { useAhead } from './use-ahead.ts'
import type { useSubmissions, ViewControl } from './use-view.ts'

/** The open submission, and the way to the previous and next one. */
export function useOpenSubmission({ rows, query }: ReturnType<typeof useSubmissions>, control: ViewControl) {
  const { admin } = useStaff()
  const client = useQueryClient()
  const sideBySide = useSideBySide()
  // The address updates a moment later, and until then has the id of a submission that was closed.
  const [closedId, setClosedId] = useState<string>()
  // A new filter removes the id from the address. The submission stays in view until the list has loaded.
  const named = control.view.id === closedId ? undefined : control.view.id
  const [lastId, setLastId] = useState(named)
  const [suggestedId, setSuggestedId] = useState<string>()
  const [searched, setSearched] = useState(control.view.q)
  if (named && named !== lastId) setLastId(named)
  const id = named ?? lastId
  const isLoading = query.isPending || query.isPlaceholderData
  const openRow = rows.find((row) => row.id === id)

  // Looking at the submission that opened by itself must not lock out colleagues.
  const isSuggested = id !== undefined && id === suggestedId
  if (named && suggestedId && named !== suggestedId) setSuggestedId(undefined)
  useFirstUse(isSuggested, () => setSuggestedId(undefined))

  const { neighbor, restart } = useOpenRow(rows, openListed, { fallback: id })

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

  /**
   * After a decision: opens the next submission below, or else above, that no colleague has claimed. One that somebody else must decide
   * on opens only if no other is left.
   * @param decided what was decided with the open one, and may still be listed
   */
  function openNeighbor(decided: readonly string[]): boolean {
    const isLeft = (row: StaffSubmission) => isFree(row) && !decided.includes(row.id)
    const decidable = findNeighbor((row) => isLeft(row) && isDecidable(row))
    return openAt(decidable >= 0 ? decidable : findNeighbor(isLeft))
  }

  function findNeighbor(fits: (row: StaffSubmission) => boolean): number {
    const [above, below] = [neighbor(-1), neighbor(1)]
    const after = rows.findIndex((row, index) => index >= below && fits(row))
    return after >= 0 ? after : rows.findLastIndex((row, index) => index <= above && fits(row))
  }

  /** Only a whole submission says that somebody else must decide. The next ones are loaded ahead. */
  function isDecidable(row: StaffSubmission): boolean {
    const { queryKey } = read(routes.staffSubmission, { params: { id: row.id } })
    return isFree(row) && !client.getQueryData(queryKey)?.secondPersonNeeded
  }

  function isFree({ claimedBy }: StaffSubmission): boolean {
    return (holderAt(claimedBy, serverNow())?.id ?? admin.id) === admin.id
  }

  /**
   * After a search, opens the first hit. After another filter, keeps the open submission if the new list has it. It fits only
   * beside the list.
   */
  const choose = useEffectEvent(() => {
    const isSearch = control.view.q !== searched
    setSearched(control.view.q)
    if (isSearch) restart()
    if (isSearch || !openRow) setLastId(undefined)
    if (!sideBySide && queuedKeys.current.length === 0) return
    if (lastId && openRow && !isSearch) control.change({ id: lastId })
    else if (openAt(firstChoice())) setSuggestedId(rows[firstChoice()]?.id)
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
          .filter(isDecidable)
          .slice(0, 2),
  )

  /** After Clear All. When the list has reloaded, this submission opens again if it still exists, else the first. */
  function close() {
    setClosedId(id)
    setLastId(undefined)
    control.change({ id: undefined })
  }

  return {
    id,
    /** It opened by itself, and the reviewer has done nothing with it. */
    isSuggested,
    /** The list for a new filter is loading, so the open submission may be about to close. */
    isLeaving: !named && id !== undefined && isLoading,
    openNext,
    openPrevious,
    openNeighbor,
    ahead,
    close,
  }
}

/** Calls `onUse` at the first click or key that is meant for the open submission. */
function useFirstUse(isWaiting: boolean, onUse: () => void): void {
  const use = useEffectEvent(onUse)
  useEffect(() => {
    if (!isWaiting) return
    function listener(event: Event) {
      const isOnIt = event.target instanceof Element && event.target.closest(OPEN_SUBMISSION)
      const isItsKey = event instanceof KeyboardEvent && isCardKey(event.key) && !isTyping(event.target)
      if (isOnIt || isItsKey) use()
    }
    window.addEventListener('pointerdown', listener, { capture: true })
    window.addEventListener('keydown', listener, { capture: true })
    return () => {
      window.removeEventListener('pointerdown', listener, { capture: true })
      window.removeEventListener('keydown', listener, { capture: true })
    }
  }, [isWaiting])
}

/** The pane of the open submission, and its row. */
const OPEN_SUBMISSION = '[data-submission], [aria-posinset] [aria-current="true"]'
