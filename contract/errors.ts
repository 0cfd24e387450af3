import { z } from 'zod'

/** Every refusal the server makes: the code a client can act on, and the status it is sent with. */
export const errorStatuses = {
  invalid: 400,
  signed_out: 401,
  invalid_credentials: 401,
  /** The password is right, and a code is wanted beside it. */
  totp_required: 401,
  totp_wrong: 401,
  forbidden: 403,
  cross_site: 403,
  not_found: 404,
  too_slow: 408,
  taken: 409,
  quote_changed: 409,
  status_changed: 409,
  illegal_move: 409,
  key_reused: 409,
  /** Another administrator is working on it. */
  claimed: 409,
  /** Its secrets were erased, some time after its final state. */
  erased: 409,
  totp_on: 409,
  totp_off: 409,
  too_large: 413,
  unsupported_body: 415,
  not_an_image: 415,
  too_many_requests: 429,
  internal: 500,
  /** Something sealed does not open: it was tampered with, or its key is missing. */
  unreadable: 500,
  busy: 503,
} as const
export type ErrorCode = keyof typeof errorStatuses

export const fieldError = z.object({ path: z.string(), message: z.string() })
export type FieldError = z.infer<typeof fieldError>

/** The body of every answer that is not a success. */
export const errorBody = z.object({
  message: z.string(),
  code: z.string(),
  errors: z.array(fieldError).optional(),
})
export type ErrorBody = z.infer<typeof errorBody>
