import { z } from 'zod'

/** Every refusal the server makes: the code a client can act on, and the status it is sent with. */
export const errorStatuses = {
  invalid: 400,
  signed_out: 401,
  invalid_credentials: 401,
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
  claimed: 409,
  erased: 409,
  totp_on: 409,
  totp_off: 409,
  too_large: 413,
  unsupported_body: 415,
  not_an_image: 415,
  too_many_requests: 429,
  internal: 500,
  unreadable: 500,
  busy: 503,
} as const
export type ErrorCode = keyof typeof errorStatuses

/** What each of them means to whoever called. */
export const errorMeanings: Readonly<Record<ErrorCode, string>> = {
  invalid: 'What was sent is wrong; `errors` names each field',
  signed_out: 'Nobody is signed in, or the session has ended',
  invalid_credentials: 'Name or password is wrong',
  totp_required: 'The password is right, and a code of the authenticator app is wanted beside it',
  totp_wrong: 'The code is not valid',
  forbidden: 'Signed in, but not allowed',
  cross_site: 'A browser sent it from another site',
  not_found: "There is no such thing, or it is somebody else's",
  too_slow: 'The request took too long to arrive',
  taken: 'There is one already',
  quote_changed: 'The quote is another one by now; the message has it',
  status_changed: 'The submission changed meanwhile; read it again',
  illegal_move: 'It is in no state for this',
  key_reused: 'The Idempotency-Key was used for something else',
  claimed: 'Another administrator is working on it',
  erased: 'Its secrets were erased, some time after its final state',
  totp_on: 'The second factor is on already',
  totp_off: 'The second factor is off, or was not started',
  too_large: 'The body, or a photo in it, is too large',
  unsupported_body: 'The body is not of the type that is wanted',
  not_an_image: 'A photo is none that can be read',
  too_many_requests: 'Too many calls; come again after the seconds in `Retry-After`',
  internal: 'Our fault; the log has it under the `X-Request-Id`',
  unreadable: 'Something sealed does not open: it was tampered with, or its key is missing',
  busy: 'Not ready, or too much to do; come again after the seconds in `Retry-After`',
}

export const fieldError = z.object({ path: z.string(), message: z.string() })
export type FieldError = z.infer<typeof fieldError>

/** The body of every answer that is not a success. */
export const errorBody = z.object({
  message: z.string().describe('For the person in front of it'),
  code: z.string().describe('For the program'),
  errors: z.array(fieldError).optional().describe('The first fault of each field'),
})
export type ErrorBody = z.infer<typeof errorBody>
