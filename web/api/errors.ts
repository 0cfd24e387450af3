import { errorBody, type FieldError } from '#contract/errors.ts'

/** A call that didn't succeed. `message` is fit to be shown to a person. */
export class ApiError extends Error {
  override name = 'ApiError'
  /** 0 when no answer came at all. */
  readonly status: number
  readonly code: string
  readonly errors: readonly FieldError[]

  constructor(status: number, code: string, message: string, errors: readonly FieldError[] = []) {
    super(message)
    this.status = status
    this.code = code
    this.errors = errors
  }
}

export function offline(): ApiError {
  return new ApiError(0, 'offline', 'We could not be reached. Check your connection and try again.')
}

/** Reads a refusal; what isn't the server's own (a proxy's page, say) gets a sentence a person can read. */
export function readError(status: number, text: string): ApiError {
  const body = errorBody.safeParse(parseJson(text))
  if (body.success) return new ApiError(status, body.data.code, body.data.message, body.data.errors)
  return new ApiError(status, 'unreadable', 'Something went wrong on our side. Please try again in a moment.')
}

/** The server's message, or the text the screen has for when there is none. */
export function messageOf(error: unknown, fallback: string): string {
  return error instanceof ApiError && error.code !== 'unreadable' && error.message ? error.message : fallback
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
