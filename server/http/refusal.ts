import { type ErrorCode, errorStatuses, type FieldError } from '#contract/errors.ts'

/** Throw this to refuse a request. The message is shown to the user. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: ErrorCode
  readonly errors: readonly FieldError[] | undefined
  /** Seconds after which to try again. */
  readonly retryAfter: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    { errors, retryAfter }: { errors?: readonly FieldError[]; retryAfter?: number } = {},
  ) {
    super(message)
    this.code = code
    this.errors = errors
    this.retryAfter = retryAfter
  }

  get status(): number {
    return errorStatuses[this.code]
  }
}

/** Refuses invalid input with the message of the first field. */
export function invalid(errors: readonly FieldError[]): Refusal {
  return new Refusal('invalid', errors[0]?.message ?? 'The request is not valid', { errors })
}

/** It does not exist or belongs to someone else. The answer must not tell which. */
export function notFound(): Refusal {
  return new Refusal('not_found', 'Not found')
}
