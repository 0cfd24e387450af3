/** Where a sealed value belongs. What was sealed for one place does not open in another. */
export type SealContext = {
  table: string
  column: string
  /** The id of the row. */
  row: string
}

/** The one class of errors here. It tells nothing of keys, values or places. */
export class VaultError extends Error {
  override name = 'VaultError'
}

/**
 * Joins texts into bytes so that no two different lists make the same bytes: each text goes with its length.
 * Without it, `('ab', 'c')` and `('a', 'bc')` would be one.
 */
export function encodeParts(...parts: readonly string[]): Buffer {
  return Buffer.concat(parts.flatMap((part) => [lengthOf(part), Buffer.from(part)]))
}

function lengthOf(part: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(Buffer.byteLength(part))
  return length
}
