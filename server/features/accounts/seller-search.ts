import { type SQL, sql } from 'drizzle-orm'
import { validate as isUuid } from 'uuid'
import { endOfReference } from '#domain/reference.ts'
import { may, type Role } from '#domain/roles.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { likePattern } from '#server/platform/database/queries.ts'

/** The one search for sellers. It finds them by what the role may read, so that it reveals nothing else. */

/** A condition on `users`: part of a username, email or name, an ID, a reference, or a phone number. */
export function sellerMatches(q: string, role: Role): SQL {
  const end = endOfReference(q)
  const ways = [
    ...namesMatch(q),
    ...(isUuid(q) ? [sql`users.id = ${q}`] : []),
    ...(end ? [sql`right(users.id::text, 8) = ${end}`] : []),
    ...(may(role, 'see_details') ? phoneMatches(q) : []),
  ]
  return sql`(${sql.join(ways, sql` or `)})`
}

/** More sellers than this have so many rows that reading a list until the page is full is faster. */
const MAX_IDS = 1000

/**
 * A condition on a column of seller IDs, undefined if there is no such seller. A few sellers are named by their IDs, in an array
 * whose length the planner does not know, so that it reads their rows from an index. Many are looked up for each row.
 */
export async function isOfSeller(db: Executor, column: SQL, q: string, role: Role): Promise<SQL | undefined> {
  const found = sql`select id from users where ${sellerMatches(q, role)}`
  const { rows } = await db.execute<{ id: string }>(sql`${found} limit ${MAX_IDS + 1}`)
  if (rows.length === 0) return undefined
  if (rows.length > MAX_IDS) return sql`${column} in (${found})`
  return sql`${column} = any(array(select unnest(${sql.param(rows.map(({ id }) => id))}::uuid[])))`
}

/** The trigram indexes need three characters. */
const MIN_INDEXED = 3

/** Many emails share a domain, so the index is searched for the part before the @. Usernames and names have no @. */
function namesMatch(q: string): SQL[] {
  const [local = '', domain] = q.split('@')
  const pattern = likePattern(q)
  if (domain === undefined) {
    return [
      sql`lower(username) like ${pattern}`,
      sql`lower(email) like ${pattern}`,
      sql`lower(first_name || ' ' || last_name) like ${pattern}`,
    ]
  }
  if (local.length < MIN_INDEXED) return [sql`lower(email) like ${pattern}`]
  return [sql`lower(email) like ${likePattern(`${local}@`)} and strpos(lower(email), ${q.toLowerCase()}) > 0`]
}

/** Digits of a US number without its area code. */
const LOCAL_DIGITS = 7

/** However the number is written, with or without its area code and country code. */
function phoneMatches(q: string): SQL[] {
  const digits = q.replace(/\D/g, '').slice(-10)
  if (!/^[+\d\s().-]{7,25}$/.test(q) || digits.length < LOCAL_DIGITS) return []
  const stored = sql`regexp_replace(phone_number, '\\D', '', 'g')`
  return [
    sql`right(${stored}, ${sql.raw(String(LOCAL_DIGITS))}) = ${digits.slice(-LOCAL_DIGITS)} and ${stored} like ${`%${digits}`}`,
  ]
}
