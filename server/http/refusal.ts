import { type ErrorCode, errorStatuses, type FieldError } from '#contract/errors.ts'
import { type FieldProblem, fieldText } from '#contract/field-errors.ts'
import type { Key } from '#words/keys.ts'
import type { Translate, Values } from '#words/translate.ts'

/** What a text inserts. A function if that depends on the language. */
export type Params = Values | ((t: Translate) => Values)

/** A field's error. The answer gets its text in the language of the caller. */
export interface RefusedField extends Omit<FieldProblem, 'params'> {
  readonly params?: Params
}

/** Throw this to refuse a request. The user sees its text, in their language. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: ErrorCode
  readonly key: Key
  readonly params: Params | undefined
  readonly errors: readonly RefusedField[] | undefined
  /** Seconds after which to try again. */
  readonly retryAfter: number | undefined

  constructor(code: ErrorCode, key: Key, { params, errors, retryAfter }: RefusalDetails = {}) {
    super(key)
    this.code = code
    this.key = key
    this.params = params
    this.errors = errors
    this.retryAfter = retryAfter
  }

  get status(): number {
    return errorStatuses[this.code]
  }
}

interface RefusalDetails {
  /** What the text inserts. */
  readonly params?: Params
  readonly errors?: readonly RefusedField[]
  /** Seconds after which to try again. */
  readonly retryAfter?: number
}

/** Refuses fields. The message is that of the first one. */
export function refusedFields(code: ErrorCode, errors: readonly RefusedField[]): Refusal {
  return new Refusal(code, 'refusals.invalid', { errors })
}

export function invalid(errors: readonly RefusedField[]): Refusal {
  return refusedFields('invalid', errors)
}

/** A field's error with its text. */
export function toFieldError({ path, code, params }: RefusedField, t: Translate): FieldError {
  const values = valuesOf(params, t)
  const message = fieldText(t, { code, params: values }) ?? code
  return { path, message, code, ...(values && { params: values }) }
}

export function valuesOf(params: Params | undefined, t: Translate): Values | undefined {
  return typeof params === 'function' ? params(t) : params
}

/** It does not exist or belongs to someone else. The answer must not tell which. */
export function notFound(): Refusal {
  return new Refusal('not_found', 'refusals.not_found')
}
