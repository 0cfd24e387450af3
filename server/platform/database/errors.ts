import pg from 'pg'

// Database errors are identified by PostgreSQL's code and the constraint's name, never by message or `detail`: those contain
// the values of the row. Codes: https://www.postgresql.org/docs/current/errcodes-appendix.html

/** Whether such a row exists already. With `constraint`, only violations of that constraint or unique index count. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const found = databaseError(error)
  return found?.code === '23505' && (constraint === undefined || found.constraint === constraint)
}

/** Whether the transaction was rolled back because it collided with another one. Running it again may succeed. */
export function isWorthRetrying(error: unknown): boolean {
  const code = databaseError(error)?.code
  return code === '40001' || code === '40P01'
}

/** Whether the statement was not run, because an earlier one of its transaction had failed. */
export function isAfterFailure(error: unknown): boolean {
  return databaseError(error)?.code === '25P02'
}

/** Whether the database cannot answer now: gone, starting, stopping, full or too slow. */
export function isUnavailable(error: unknown): boolean {
  const code = databaseError(error)?.code ?? ''
  // Connection exceptions, a standby that is not promoted yet, insufficient resources, statement canceled by its timeout, shutdown,
  // startup, disk failure.
  if (/^(08...|25006|53...|57014|57P01|57P02|57P03|58030)$/.test(code)) return true
  return causes(error).some((cause) => isConnectionFailure(cause))
}

/** Whether a table or column is missing: the database belongs to another version of this program. */
export function isUnknownToDatabase(error: unknown): boolean {
  const code = databaseError(error)?.code
  return code === '42P01' || code === '42703'
}

/** What may be logged about a database error. Undefined for other errors. */
export function describeDatabaseError(
  error: unknown,
): { code: string; constraint?: string; table?: string } | undefined {
  const found = databaseError(error)
  if (!found) return undefined
  const { code = 'unknown', constraint, table } = found
  return { code, ...(constraint && { constraint }), ...(table && { table }) }
}

/** The error from `pg`. Drizzle wraps it in an error whose message contains the query and its values. */
function databaseError(error: unknown): pg.DatabaseError | undefined {
  return causes(error).find((cause) => cause instanceof pg.DatabaseError)
}

/** The innermost error from the database or the operating system, if there is one. */
export function failureBelow(error: unknown): NodeJS.ErrnoException | undefined {
  return causes(error).find(
    (cause) => cause instanceof pg.DatabaseError || 'syscall' in cause || isConnectionFailure(cause),
  )
}

/** The error and its causes. At most five, because a cause may lead back to itself. */
function causes(error: unknown): Error[] {
  const chain: Error[] = []
  for (let cause = error; cause instanceof Error && chain.length < 5; cause = causeOf(cause))
    chain.push(cause)
  return chain
}

/** For a host with several addresses, Node throws one error without a message that lists the others. */
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
  // The host name does not exist, or cannot be looked up now.
  'ENOTFOUND',
  'EAI_AGAIN',
  // The socket file is missing.
  'ENOENT',
]

/** Connection failures. Some errors of `pg` have no code, only a message. */
function isConnectionFailure(error: Error): boolean {
  const code = (error as NodeJS.ErrnoException).code ?? ''
  if (UNREACHABLE.includes(code))
    return (error as NodeJS.ErrnoException).syscall !== undefined && !('path' in error)
  return /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect)/.test(
    error.message,
  )
}
