import type { ErrorBody, FieldError } from '#contract/errors.ts'
import type { Route } from '#contract/route.ts'
import { toast } from '#web/kit/toast.ts'
import { translate } from '#web/words/words.ts'

/** A failed call. `message` can be shown to users. */
export class ApiError extends Error {
  override name = 'ApiError'
  /** 0 if there was no answer. */
  readonly status: number
  readonly code: string
  readonly errors: readonly FieldError[]
  /** The path of the route that refused, or empty. */
  readonly path: string

  constructor(
    status: number,
    code: string,
    message: string,
    { errors = [], path = '' }: { errors?: readonly FieldError[] | undefined; path?: string } = {},
  ) {
    super(message)
    this.status = status
    this.code = code
    this.errors = errors
    this.path = path
  }
}

export function offline(): ApiError {
  return new ApiError(0, 'offline', translate()('site.error.offline'))
}

/** Reads an error answer. If it is not from our server (a proxy's page, for example), it gets a readable message. */
export function readError({ path }: Route, status: number, text: string): ApiError {
  const body = parseJson(text)
  if (isErrorBody(body)) return new ApiError(status, body.code, body.message, { errors: body.errors, path })
  return new ApiError(status, 'unreadable', translate()('site.error.unreadable'), { path })
}

// Does not use the contract's schema, which would add zod to every page.
function isErrorBody(body: unknown): body is ErrorBody {
  if (typeof body !== 'object' || body === null) return false
  const { message, code, errors } = body as Record<string, unknown>
  return (
    typeof message === 'string' &&
    typeof code === 'string' &&
    (errors === undefined || (Array.isArray(errors) && errors.every(isFieldError)))
  )
}

function isFieldError(error: unknown): error is FieldError {
  if (typeof error !== 'object' || error === null) return false
  const { path, message } = error as Record<string, unknown>
  return typeof path === 'string' && typeof message === 'string'
}

/** The server's message, or the screen's own text if there is none. */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.code !== 'unreadable' && error.message ? error.message : fallback
}

/** For `onError`: shows the server's message in a toast, or the screen's own text if there is none. */
export function toastFailure(title: string, fallback: string): (error: Error) => void {
  return (error) => toast({ title, description: messageOf(error, fallback), variant: 'destructive' })
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
