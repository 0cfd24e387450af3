import type { KeyRing } from './key-ring.ts'
import { newDataKey, open, seal, unwrapKey, wrapKey } from './seal.ts'

/** The column that holds the wrapped key of a row. */
export const DATA_KEY_COLUMN = 'data_key'

/** One row of a table whose secrets are sealed under a key of its own. */
export interface SealedPlace {
  readonly table: string
  /** The row's id. */
  readonly row: string
}

/**
 * Seals texts under a fresh key, each for its column; null stays null.
 * @param texts by the name of their column
 */
export function sealRow<C extends string>(
  keys: KeyRing,
  place: SealedPlace,
  texts: Readonly<Record<C, string | null>>,
): { dataKey: Buffer; sealed: Record<C, Buffer | null> } {
  const dataKey = newDataKey()
  try {
    const sealed = mapColumns(texts, (text: string, column) => seal(dataKey, text, { ...place, column }))
    return { dataKey: wrapKey(keys, dataKey, { ...place, column: DATA_KEY_COLUMN }), sealed }
  } finally {
    dataKey.fill(0)
  }
}

/** The texts again. Throws `VaultError` when anything was changed or moved. */
export function openRow<C extends string>(
  keys: KeyRing,
  place: SealedPlace,
  wrapped: Buffer,
  sealed: Readonly<Record<C, Buffer | null>>,
): Record<C, string | null> {
  const dataKey = unwrapKey(keys, wrapped, { ...place, column: DATA_KEY_COLUMN })
  try {
    return mapColumns(sealed, (bytes: Buffer, column) =>
      open(dataKey, bytes, { ...place, column }).toString(),
    )
  } finally {
    dataKey.fill(0)
  }
}

function mapColumns<C extends string, From, To>(
  values: Readonly<Record<C, From | null>>,
  change: (value: From, column: string) => To,
): Record<C, To | null> {
  const entries = Object.entries<From | null>(values)
  return Object.fromEntries(
    entries.map(([column, value]) => [column, value === null ? null : change(value, column)]),
  ) as Record<C, To | null>
}
