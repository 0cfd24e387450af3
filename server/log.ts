import { type Logger, pino } from 'pino'
import type { LogLevel } from '#server/config.ts'
import { describeDatabaseError } from '#server/database/errors.ts'

/** The log: JSON lines on standard output. */
export function createLog(level: LogLevel): Logger {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    serializers: { err: describeError },
  })
}

/**
 * What a log may hold of an error. The messages of database errors carry the values of the row (and
 * drizzle's the whole query), so of those only codes and names are kept.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error }
  const at = error.stack?.split('\n').filter((line) => line.startsWith('    at '))
  const database = describeDatabaseError(error)
  if (database) return { type: 'DatabaseError', ...database, at }
  if (error.message.startsWith('Failed query')) return { type: error.name, at }
  return { type: error.name, message: error.message, at }
}
