import type { FastifyReply, FastifyRequest } from 'fastify'

interface Page<Row> {
  /** One more than the page holds, if there are more. */
  readonly rows: readonly Row[]
  /** How many there are on all pages. */
  readonly total: number
  readonly limit: number
}

/**
 * Ends a page of a growing list: the total, and the address of the next page when there is one.
 * @param cursorOf where the next page starts after a row; without it at the row's id, in a list that is ordered by ids
 * @returns the rows that the page holds
 */
export function finishPage<Row extends { id: string }>(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page<Row>,
): Row[]
export function finishPage<Row>(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page<Row>,
  cursorOf: (row: Row) => string,
): Row[]
export function finishPage<Row extends { id: string }>(
  request: FastifyRequest,
  reply: FastifyReply,
  { rows, total, limit }: Page<Row>,
  cursorOf: (row: Row) => string = ({ id }) => id,
): Row[] {
  reply.header('x-total-count', String(total))
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  if (last && rows.length > limit) linkPage(request, reply, 'next', { cursor: cursorOf(last) })
  return shown
}

/** Names the page beside this one: the same address with another start. */
export function linkPage(
  request: FastifyRequest,
  reply: FastifyReply,
  rel: 'next' | 'prev',
  start: Readonly<Record<string, string>>,
): void {
  // What is searched for may hold a question mark of its own.
  const [path, ...asked] = request.url.split('?')
  const query = new URLSearchParams(asked.join('?'))
  for (const [name, value] of Object.entries(start)) query.set(name, value)
  reply.header('link', `<${path}?${query}>; rel="${rel}"`)
}
