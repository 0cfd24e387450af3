import { OperatorError } from '#server/platform/config/operator-error.ts'
import { failureBelow } from '#server/platform/database/errors.ts'
import { PhotoStorageUnavailable } from '#server/platform/photos/errors.ts'

/**
 * Keeps running without a reader, such as `head`, or after the terminal was closed. Without a listener, the next write would end the
 * process in the middle of its work.
 */
export function ignoreClosedOutput(): void {
  process.stdout.on('error', () => undefined)
}

/** Prints why the program fails and makes it exit with 1. */
export function reportCrash(error: unknown): void {
  process.stderr.write(`${crashMessage(error)}\n`)
  process.exitCode = 1
}

/** What the operator can do about the error, or else where it happened. */
export function crashMessage(error: unknown): string {
  // Several parts failed to stop: the first failure is innermost.
  if (error instanceof SuppressedError) return crashMessage(error.suppressed)
  if (error instanceof OperatorError) return error.message
  // Its cause is a network error too, which must not be reported as the database's.
  if (error instanceof PhotoStorageUnavailable) return `STORAGE_URL: ${error.message.split('\n')[0]}`
  const failure = failureBelow(error)
  if (failure) return failure.message + hintOf(failure)
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** What a system error code means for the operator. All other network errors are handled before this. */
const hints: Readonly<Record<string, string>> = {
  ECONNREFUSED: ': the database of DATABASE_URL does not answer there',
  ENOTFOUND: ': DATABASE_URL names an unknown host',
  EAI_AGAIN: ': DATABASE_URL names an unknown host',
}

function hintOf(failure: NodeJS.ErrnoException & { readonly address?: string }): string {
  // Only the embedded database uses a socket file.
  if (failure.syscall === 'connect' && failure.address?.startsWith('/'))
    return ': the database of the running server does not answer there; this command needs the same TMPDIR'
  return hints[failure.code ?? ''] ?? ''
}
