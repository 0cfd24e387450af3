import { useMemo, useRef, useState } from 'react'

export type Selection<Row> = ReturnType<typeof useSelection<Row & { id: string }>>

/**
 * Rows chosen for an action. Only listed ones count, so that nobody acts on what they do not see.
 * @param mayChoose stays the same function
 */
export function useSelection<Row extends { id: string }>(
  rows: readonly Row[],
  mayChoose: (row: Row) => boolean = always,
) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const lastId = useRef<string>(undefined)
  const choosable = useMemo(() => rows.filter(mayChoose), [rows, mayChoose])
  const selected = useMemo(() => choosable.filter(({ id }) => ids.has(id)), [choosable, ids])

  /** @param through also changes everything between the last row and this one */
  function toggle(id: string, { through = false } = {}) {
    const select = !ids.has(id)
    const changed = through ? idsBetween(choosable, lastId.current ?? id, id) : [id]
    lastId.current = id
    const next = new Set(ids)
    for (const one of changed) {
      if (select) next.add(one)
      else next.delete(one)
    }
    setIds(next)
  }

  const hasAll = choosable.length > 0 && selected.length === choosable.length
  return {
    choosable,
    selected,
    hasAll,
    has: (id: string) => ids.has(id),
    toggle,
    toggleAll: () => setIds(new Set(hasAll ? [] : choosable.map(({ id }) => id))),
    /** Chooses the selected rows without these. */
    leaveOut: (rows: readonly Row[]) =>
      setIds(new Set(selected.filter((row) => !rows.includes(row)).map(({ id }) => id))),
    clear: () => setIds(new Set()),
  }
}

const always = () => true

/** The ids of two rows and everything between them. Only the second if the first is not listed anymore. */
export function idsBetween(rows: readonly { id: string }[], first: string, second: string): string[] {
  const indexOf = (id: string) => rows.findIndex((row) => row.id === id)
  const [one, other] = [indexOf(first), indexOf(second)]
  if (one < 0 || other < 0) return [second]
  return rows.slice(Math.min(one, other), Math.max(one, other) + 1).map(({ id }) => id)
}
