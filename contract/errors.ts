import { z } from 'zod'

/** Every refusal: the code a client can act on, and its HTTP status. */
export const errorStatuses = {
  invalid: 400,
  signed_out: 401,
  invalid_credentials: 401,
  totp_required: 401,
  totp_wrong: 401,
  forbidden: 403,
  not_permitted: 403,
  second_person_needed: 403,
  totp_setup_required: 403,
  manual_payouts_off: 403,
  cross_site: 403,
  seller_blocked: 403,
  not_found: 404,
  too_slow: 408,
  taken: 409,
  last_owner: 409,
  quote_changed: 409,
  status_changed: 409,
  illegal_move: 409,
  offer_changed: 409,
  undo_too_late: 409,
  risk_not_acknowledged: 409,
  risk_gone: 409,
  balance_check_needed: 409,
  key_reused: 409,
  claimed: 409,
  seller_held: 409,
  payout_in_batch: 409,
  payout_sent: 409,
  illegal_payout_move: 409,
  illegal_batch_move: 409,
  payout_not_batchable: 409,
  nothing_due: 409,
  payout_file_not_configured: 409,
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

/** What each code means for the caller, in Markdown. */
export const errorMeanings: Readonly<Record<ErrorCode, string>> = {
  invalid: 'The request is not valid; see `errors` for each field',
  signed_out: 'Not signed in, or the session has ended',
  invalid_credentials: 'Wrong name or password',
  totp_required: 'The password is right; a code from the authenticator app is needed too',
  totp_wrong: 'The code is not valid',
  forbidden: 'Signed in, but not allowed',
  not_permitted: 'Signed in as staff, but the role may not do this',
  second_person_needed: 'Somebody else has to do this',
  totp_setup_required: 'Signed in as staff, but a second factor must be set up first',
  manual_payouts_off: 'Payouts leave in batches; only owners may record one as paid by hand',
  cross_site: 'A browser sent the request from another site',
  seller_blocked: 'The seller is blocked and cannot submit cards; they can write to support',
  not_found: 'It does not exist, or belongs to someone else',
  too_slow: 'The request took too long to arrive',
  taken: 'It already exists',
  last_owner: 'The last active owner cannot be demoted or disabled',
  quote_changed: 'The quote has changed; see `message` for the new one',
  status_changed: 'The submission has changed; read it again',
  illegal_move: 'Not allowed in its current status',
  offer_changed: 'The offer has changed or ended; read the submission again',
  undo_too_late: 'The seconds in which the move could be undone are over',
  risk_not_acknowledged: 'A risk must be acknowledged first; see `message`',
  risk_gone: 'The submission does not have this risk, or no longer',
  balance_check_needed: 'The balance of the card must be checked first',
  key_reused: 'The Idempotency-Key was already used for another request',
  claimed: 'Another administrator is working on it',
  seller_held: 'Payments to the seller are on hold',
  payout_in_batch: 'The payout is in a batch, or its money came back',
  payout_sent: 'The payout was sent',
  illegal_payout_move: 'Not allowed in the current state of the payout',
  illegal_batch_move: 'Not allowed in the current state of the batch',
  payout_not_batchable: 'A payout cannot be in this batch; see `message`',
  nothing_due: 'No payout can be in the batch',
  payout_file_not_configured: 'Settings for this kind of file are missing; see `message`',
  erased: 'Its secrets have already been erased',
  totp_on: 'The second factor is already on',
  totp_off: 'The second factor is off, or its setup was not started',
  too_large: 'The body, or a photo in it, is too large',
  unsupported_body: 'The body has the wrong content type',
  not_an_image: 'A file is not a readable image',
  too_many_requests: 'Too many calls; try again after the seconds in `Retry-After`',
  internal: 'A failure on our side; the log has details under its `X-Request-Id`',
  unreadable: 'Encrypted data cannot be read: it was changed, or its key is missing',
  busy: 'Not ready or overloaded; try again after the seconds in `Retry-After`',
}

const params = z
  .record(z.string(), z.union([z.string(), z.number()]))
  .describe('What the message inserts, such as a limit')

export const fieldError = z.object({
  path: z.string(),
  message: z.string().describe('For the user, in their language'),
  code: z.string().describe('For the program'),
  params: params.optional(),
})
export type FieldError = z.infer<typeof fieldError>

/** The body of every refusal. */
export const errorBody = z.object({
  message: z.string().describe('For the user, in their language'),
  code: z.string().describe('For the program'),
  params: params.optional(),
  errors: z.array(fieldError).optional().describe('The first error of each field'),
})
export type ErrorBody = z.infer<typeof errorBody>
