import { type SQL, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { MAX_COUNTED } from '#domain/counting.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'

interface Page<Row> {
  /** One row more than the page holds, if there are more. */
  readonly rows: readonly Row[]
  /** The number of rows on all pages, from `cappedCount`. */
  readonly total: number
  readonly limit: number
}

/**
 * Adds the total and the address of the next page, if there is one, to the answer.
 * @param cursorOf where the page after this row starts, like `byId` for a list sorted by id
 * @returns the rows of the page
 */
export function finishPage<Row>(
  request: FastifyRequest,
  reply: FastifyReply,
  { rows, total, limit }: Page<Row>,
  cursorOf: (row: Row) => string,
): Row[] {
  reply.header('x-total-count', String(Math.min(total, MAX_COUNTED + 1)))
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  if (last && rows.length > limit) linkPage(request, reply, 'next', { cursor: cursorOf(last) })
  return page
}

/**
 * The number of rows of a SELECT, as a subquery. Stops reading at one more than `MAX_COUNTED`, and then returns that. See
 * docs/decisions/0037-capped-counts-and-one-search-column.md.
 */
export function cappedCount(rows: SQL): SQL<number> {
  const limit = sql.raw(String(MAX_COUNTED + 1))
  return sql<number>`(select count(*)::integer from (select from (${rows}) as found limit ${limit}) as counted)`
}

/** The number of rows of a table, capped like `cappedCount`. */
export async function countRows(db: Executor, table: PgTable, where?: SQL): Promise<number> {
  const rows = sql`select from ${table} where ${where ?? sql`true`}`
  const found = await db.execute<{ count: number }>(sql`select ${cappedCount(rows)} as count`)
  return onlyRow(found.rows).count
}

export const byId = ({ id }: { id: string }): string => id

/** Adds a link to another page: the same address with a different start. */
export function linkPage(
  request: FastifyRequest,
  reply: FastifyReply,
  rel: 'next' | 'prev',
  start: Readonly<Record<string, string>>,
): void {
  // Only the first question mark starts the query. A search text may contain more.
  const [path, ...rest] = request.url.split('?')
  const query = new URLSearchParams(rest.join('?'))
  for (const [name, value] of Object.entries(start)) query.set(name, value)
  reply.header('link', `<${path}?${query}>; rel="${rel}"`)
}
