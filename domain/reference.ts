/**
 * A submission's reference is the end of its id, short enough to say on the phone. Ids begin with a time, so their ends differ
 * most. Two submissions with the same reference are unlikely, not impossible: programs use the id.
 */

/** "2B91-CCF8" */
export function referenceOf(id: string): string {
  return id.slice(-8).replace(/^..../, '$&-').toUpperCase()
}

/** The end of the id, in lower case, for a reference with its hyphen; undefined for any other text. */
export function endOfReference(text: string): string | undefined {
  const [, first, second] = /^([\da-f]{4})-([\da-f]{4})$/i.exec(text.trim()) ?? []
  return first && second && (first + second).toLowerCase()
}

/** "CCF8": the reference of a payout until the bank or service has given it a confirmation number. */
export function shortReferenceOf(id: string): string {
  return id.slice(-4).toUpperCase()
}
