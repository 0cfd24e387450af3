import { useEffect, useRef } from 'react'

/**
 * The steps from the row that the address names to its neighbors. They start from the current address, because keys may
 * be faster than the screen. A row that has left the list keeps its position.
 * @param fallback the open row if the address names none
 */
export function useOpenRow<Row extends { id: string }>(
  rows: readonly Row[],
  open: (row: Row) => void,
  { parameter = 'id', fallback }: { parameter?: string; fallback?: string | undefined } = {},
) {
  const position = useRef(0)

  function index(): number {
    const id = new URLSearchParams(location.search).get(parameter) ?? fallback
    return rows.findIndex((row) => row.id === id)
  }

  useEffect(() => {
    if (index() >= 0) position.current = index()
  })

  /** The index of the row below or above. No row may have it. */
  function neighbor(by: 1 | -1): number {
    if (index() >= 0) return index() + by
    return by > 0 ? position.current : position.current - 1
  }

  return {
    row: () => rows[index()],
    neighbor,
    /** The next step down leads to the first row, if none is open. */
    restart: () => {
      position.current = 0
    },
    step: (by: 1 | -1) => {
      const row = rows[Math.max(neighbor(by), 0)]
      if (row) open(row)
    },
  }
}
