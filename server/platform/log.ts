import { type DestinationStream, type Logger, pino } from 'pino'
import { maskCardLike } from '#domain/card-number.ts'
import type { LogLevel } from '#server/platform/config/settings.ts'
import { describeDatabaseError } from '#server/platform/database/errors.ts'

/**
 * The only fields that a line may have beside its time, level and text. An address, a header or a body can hold a
 * secret; a field that is not listed is left out, whoever logs it.
 */
const ALLOWED = new Set([
  'err',
  // Of a request, which the answer names in `x-request-id`: its route as the contract writes it, never its address.
  'reqId',
  'method',
  'route',
  'status',
  'code',
  'ms',
  // Of the work behind the requests.
  'part',
  'step',
  'jobId',
  'kind',
  'attempts',
  'removed',
  'erased',
  'submission',
  'paymentMethod',
])

/** The log: JSON lines, on standard output unless a test wants to read them. */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: onlyAllowed },
    serializers: { err: describeError },
  }
  return destination ? pino(options, destination) : pino(options)
}

function onlyAllowed(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => ALLOWED.has(name)))
}

/**
 * What a log may hold of an error. The messages of database errors carry the values of the row (and
 * drizzle's the whole query), so of those only codes and names are kept; those of a parser quote what it read.
 */
function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const at = error.stack?.split('\n').filter((line) => line.startsWith('    at '))
  const database = describeDatabaseError(error)
  if (database) return { type: 'DatabaseError', ...database, at }
  if (error.message.startsWith('Failed query') || error instanceof SyntaxError)
    return { type: error.name, at }
  return { type: error.name, message: maskCardLike(error.message), at }
}
