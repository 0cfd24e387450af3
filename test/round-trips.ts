import type pg from 'pg'

/** What some work sent to the database. */
export interface Sent {
  readonly statements: number
  /** How often a connection had to wait for its answers before it sent more. */
  readonly roundTrips: number
}

/** Counts what `work` sends over the connections of a pool, and how often it waits for the answers. */
export async function countSent(pool: pg.Pool, work: () => Promise<unknown>): Promise<Sent> {
  let statements = 0
  let roundTrips = 0
  const watched = new Map<pg.PoolClient, pg.PoolClient['query']>()
  const watch = (client: pg.PoolClient) => {
    if (watched.has(client)) return
    const { query } = client
    watched.set(client, query)
    let unanswered = 0
    client.query = ((...sent: unknown[]) => {
      statements++
      if (unanswered++ === 0) roundTrips++
      const answered = () => unanswered--
      const callback = sent.at(-1)
      // `pool.query` passes a callback.
      if (typeof callback === 'function') {
        const last = (...answer: unknown[]) => {
          answered()
          callback(...answer)
        }
        return Reflect.apply(query, client, [...sent.slice(0, -1), last])
      }
      const answer = Reflect.apply(query, client, sent) as Promise<unknown>
      answer.then(answered, answered)
      return answer
    }) as typeof query
  }
  pool.on('acquire', watch)
  await work()
  pool.off('acquire', watch)
  for (const [client, query] of watched) client.query = query
  return { statements, roundTrips }
}
