import { type ErrorCode, errorStatuses, type FieldError } from '#contract/errors.ts'

/** A request that is refused on purpose: its text is meant for the person who sent it. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: ErrorCode
  readonly errors: readonly FieldError[] | undefined
  /** Seconds after which trying again makes sense. */
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

/** What was sent is wrong; the message is the first field's. */
export function invalid(errors: readonly FieldError[]): Refusal {
  return new Refusal('invalid', errors[0]?.message ?? 'The request is not valid', { errors })
}

/** No such thing, or somebody else's: the two look the same. */
export function notFound(): Refusal {
  return new Refusal('not_found', 'Not found')
}
