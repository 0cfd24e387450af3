import { type DestinationStream, type Logger, pino } from 'pino'
import { maskCardLike } from '#domain/card-number.ts'
import type { LogLevel } from '#server/platform/config/settings.ts'
import { describeDatabaseError } from '#server/platform/database/errors.ts'
import { trace } from '#server/platform/trace.ts'

/**
 * The only fields a line may have besides its time, level and text. All others are dropped, because addresses, headers and
 * bodies can contain secrets.
 */
const ALLOWED = new Set([
  'err',
  // Requests and their jobs: `reqId` is in the answer's `x-request-id`, and `route` is the pattern from the contract, not the address.
  'reqId',
  'method',
  'route',
  'status',
  'code',
  'ms',
  // Background work.
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

/** Logs JSON lines to standard output, or to `destination` in tests. */
export function createLog(level: LogLevel, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: onlyAllowed },
    serializers: { err: describeError },
    // The loggers of requests have it already.
    mixin: (_fields: object, _level: number, logger: unknown) => (logger === log ? requestOf() : {}),
  }
  const log: Logger = destination ? pino(options, destination) : pino(options)
  return log
}

function requestOf(): { reqId?: string } {
  const requestId = trace.getStore()?.requestId
  return requestId ? { reqId: requestId } : {}
}

function onlyAllowed(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => ALLOWED.has(name)))
}

/**
 * The loggable part of an error. Messages of database errors contain values of the row or the whole query, so only their
 * codes and names are logged. Messages of parsers quote their input, so they are dropped.
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
