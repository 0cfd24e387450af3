import { failureBelow } from '#server/database/errors.ts'
import { OperatorError } from '#server/operator-error.ts'
import { PhotoStorageUnavailable } from '#server/photos/errors.ts'

/** What a program that ends for an error says of it: what the operator can do about it, or else where it happened. */
export function lastWords(error: unknown): string {
  if (error instanceof OperatorError) return error.message
  // Below it is a failure of the network too, but not one on the way to the database.
  if (error instanceof PhotoStorageUnavailable) return `STORAGE_URL: ${error.message.split('\n')[0]}`
  const failure = failureBelow(error)
  if (failure) return failure.message + hintOf(failure)
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** What the operating system's word means to whoever ran the program: all that is left to fail is the database. */
const hints: Readonly<Record<string, string>> = {
  ECONNREFUSED: ': the database of DATABASE_URL does not answer there',
  ENOTFOUND: ': DATABASE_URL names a host that nobody knows',
  EAI_AGAIN: ': DATABASE_URL names a host that nobody knows',
}

function hintOf(failure: NodeJS.ErrnoException & { readonly address?: string }): string {
  // Only a server's own database is reached by a socket file.
  if (failure.syscall === 'connect' && failure.address?.startsWith('/'))
    return ': the database of the running server does not answer there; this command needs the same TMPDIR'
  return hints[failure.code ?? ''] ?? ''
}
