import { useMemo, useRef, useState } from 'react'
import type { WirePayout } from '#contract/payouts.ts'

export type Selection = ReturnType<typeof useSelection>

/** Payouts chosen for a batch. Only listed ones that can be in a batch count, so that nobody sends what they do not see. */
export function useSelection(rows: readonly WirePayout[]) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const lastId = useRef<string>(undefined)
  const ready = useMemo(() => rows.filter(isReady), [rows])
  const selected = useMemo(() => ready.filter(({ id }) => ids.has(id)), [ready, ids])

  /** @param through also everything between the last one and this, as it becomes */
  function toggle(id: string, { through = false } = {}) {
    const select = !ids.has(id)
    const changed = through ? between(ready, lastId.current ?? id, id) : [id]
    lastId.current = id
    const others = [...ids].filter((one) => !changed.includes(one))
    setIds(new Set(select ? [...others, ...changed] : others))
  }

  const hasAll = ready.length > 0 && selected.length === ready.length
  return {
    ready,
    selected,
    hasAll,
    has: (id: string) => ids.has(id),
    toggle,
    toggleAll: () => setIds(new Set(hasAll ? [] : ready.map(({ id }) => id))),
    clear: () => setIds(new Set()),
  }
}

export function isReady({ state, problem }: WirePayout): boolean {
  return state === 'due' && problem === null
}

function between(rows: readonly WirePayout[], one: string, other: string): string[] {
  const [from = 0, to = 0] = [one, other]
    .map((id) => rows.findIndex((row) => row.id === id))
    .sort((a, b) => a - b)
  return rows.slice(Math.max(from, 0), to + 1).map(({ id }) => id)
}
