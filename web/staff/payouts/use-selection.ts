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
    const changed = through ? idsBetween(ready, lastId.current ?? id, id) : [id]
    lastId.current = id
    const next = new Set(ids)
    for (const one of changed) {
      if (select) next.add(one)
      else next.delete(one)
    }
    setIds(next)
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

/** The ids of two rows and everything between them. Only the second if the first is not listed anymore. */
export function idsBetween(rows: readonly { id: string }[], first: string, second: string): string[] {
  const indexOf = (id: string) => rows.findIndex((row) => row.id === id)
  const [one, other] = [indexOf(first), indexOf(second)]
  if (one < 0 || other < 0) return [second]
  return rows.slice(Math.min(one, other), Math.max(one, other) + 1).map(({ id }) => id)
}
