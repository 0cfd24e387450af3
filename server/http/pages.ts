import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Ends a page of a growing list: the total, and the address of the next page when there is one.
 * @param rows one more than the page holds, if there are more
 * @param cursorOf where the next page starts after a row: its id, in a list that is ordered by ids
 */
export function finishPage<Row extends { id: string }>(
  request: FastifyRequest,
  reply: FastifyReply,
  { rows, total, limit }: { rows: readonly Row[]; total: number; limit: number },
  cursorOf: (row: Row) => string = ({ id }) => id,
): readonly Row[] {
  reply.header('x-total-count', String(total))
  if (rows.length <= limit) return rows
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = new URL(request.url, 'http://localhost')
  next.searchParams.set('cursor', last ? cursorOf(last) : '')
  reply.header('link', `<${next.pathname}${next.search}>; rel="next"`)
  return shown
}
