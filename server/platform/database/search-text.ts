import type { AnyColumn, SQL } from 'drizzle-orm'
import { sql } from 'drizzle-orm'
import { validate } from 'uuid'

/** Whether a column holds the text, whatever the case; by the index on `lower(column)`. */
export function sameText(column: AnyColumn, text: string): SQL<boolean> {
  return sql<boolean>`lower(${column}) = lower(${text})`
}

/** A pattern for `lower(column) like …` that finds the text anywhere, letter for letter: % and _ mean themselves. */
export function likePattern(text: string): string {
  return `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
}

/** Whether the text is a whole id: PostgreSQL refuses to compare an id with anything else. */
export function isUuid(text: string | undefined): text is string {
  return validate(text)
}
