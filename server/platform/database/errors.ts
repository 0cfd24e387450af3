import pg from 'pg'

/**
 * What went wrong in the database, told by PostgreSQL's code and the constraint's name.
 *
 * Never by its message or `detail`: those hold the values of the row.
 * Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html
 */

/** A row like this exists already; with `constraint`, against that very constraint or unique index. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const found = databaseError(error)
  return found?.code === '23505' && (constraint === undefined || found.constraint === constraint)
}

/** The transaction collided with another one and was rolled back: the same again may well succeed. */
export function isWorthRetrying(error: unknown): boolean {
  const code = databaseError(error)?.code
  return code === '40001' || code === '40P01'
}

/** The database cannot answer now: gone, starting, stopping, full or too slow. */
export function isUnavailable(error: unknown): boolean {
  const code = databaseError(error)?.code ?? ''
  // Connection exceptions, no room (disk, memory, connections), statement cancelled (by its time limit), shut down,
  // starting up, the disk failing.
  if (/^(08...|53...|57014|57P01|57P02|57P03|58030)$/.test(code)) return true
  return causes(error).some((cause) => isConnectionFailure(cause))
}

/** There is no such table or column: the database is not that of this version. */
export function isUnknownToDatabase(error: unknown): boolean {
  const code = databaseError(error)?.code
  return code === '42P01' || code === '42703'
}

/** What may be logged of an error of the database; undefined when it is none. */
export function describeDatabaseError(
  error: unknown,
): { code: string; constraint?: string; table?: string } | undefined {
  const found = databaseError(error)
  if (!found) return undefined
  const { code = 'unknown', constraint, table } = found
  return { code, ...(constraint && { constraint }), ...(table && { table }) }
}

/** The error as `pg` made it: drizzle wraps it in one whose message holds the query and its values. */
function databaseError(error: unknown): pg.DatabaseError | undefined {
  return causes(error).find((cause) => cause instanceof pg.DatabaseError)
}

/** What the database or the operating system said, below what the program made of it; undefined when neither did. */
export function failureBelow(error: unknown): NodeJS.ErrnoException | undefined {
  return causes(error).find(
    (cause) => cause instanceof pg.DatabaseError || 'syscall' in cause || isConnectionFailure(cause),
  )
}

/** The error, what caused it, what caused that. At most five, as a cause may lead back to itself. */
function causes(error: unknown): Error[] {
  const chain: Error[] = []
  for (let cause = error; cause instanceof Error && chain.length < 5; cause = causeOf(cause))
    chain.push(cause)
  return chain
}

/** A host with several addresses fails at each of them, and Node's error for all has no word of its own. */
function causeOf(error: Error): unknown {
  return error instanceof AggregateError ? error.errors[0] : error.cause
}

const UNREACHABLE = [
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // The host's name: there is none, or nobody who knew it could be asked just now.
  'ENOTFOUND',
  'EAI_AGAIN',
  // Of a socket file.
  'ENOENT',
]

/** Failures of the wire, which `pg` tells by the system's code or, for want of one, by its message alone. */
function isConnectionFailure(error: Error): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (UNREACHABLE.includes(code))
    return (error as NodeJS.ErrnoException).syscall !== undefined && !('path' in error)
  return /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/.test(
    error.message,
  )
}
