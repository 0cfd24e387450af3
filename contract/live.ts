import { z } from 'zod'
import { statuses } from '#domain/submission.ts'
import { claim } from './staff-submissions.ts'
import { id, text } from './values.ts'

/** The address of the live channel. With `?sessionId=` it is the channel of that contact thread only. */
export const LIVE_PATH = '/ws'

export const liveQuery = z.object({
  sessionId: text({ max: 255, required: 'session_required' }).optional(),
})

/**
 * The subprotocols of the handshake (RFC 6455, section 1.9). A client names one to get the channel of that session only.
 * Without one, the channel serves both sessions of the browser.
 */
export const liveSides = ['seller', 'staff'] as const
export type LiveSide = (typeof liveSides)[number]

/** A client sends this to check that the channel works, because scripts in browsers cannot see ping frames. */
export const LIVE_PING = 'ping'

/** The messages of the live channel. They never contain a card number, PIN or account. */
export const liveMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('NEW_SUBMISSION'),
    submission: z.object({
      id,
      brand: z.string(),
      brandName: z.string(),
      userId: id,
      user: z.object({ id, username: z.string() }),
    }),
  }),
  z.object({
    type: z.literal('STATUS_UPDATE'),
    userId: id,
    submissionId: id,
    status: z
      .union([z.enum(statuses), z.literal('approved')])
      .describe("For staff the stored status, for the seller the seller's word for it"),
    answer: z
      .object({ brandName: z.string(), username: z.string() })
      .optional()
      .describe('For staff, if the seller has answered their question'),
  }),
  z.object({
    type: z
      .literal('CLAIM_UPDATE')
      .describe(
        'For staff: a colleague claimed a submission, renewed the claim (a later `until`) or released it (null)',
      ),
    submissionId: id,
    claimedBy: claim.nullable(),
  }),
  z.object({
    type: z.literal('ASSIGNED').describe('For staff: a colleague assigned work to an administrator'),
    assigneeId: id,
    by: z.string().describe('The username of the colleague'),
    about: z.string().describe('The brand, or the name of the customer'),
  }),
  z.object({
    type: z
      .literal('SUBMISSIONS_CLEARED')
      .describe('Submissions were removed. Sent to staff, and with `userId` to each of their sellers'),
    userId: id.optional(),
  }),
  z.object({
    type: z.literal('PAYOUT_UPDATE').describe('A payout changed. Sellers also get the id of the submission'),
    userId: id.optional(),
    submissionId: id.optional(),
  }),
  z.object({
    type: z
      .literal('BALANCE_UPDATE')
      .describe(
        "To staff and the seller: the brand's balance connector is asked about a card, or has answered",
      ),
    userId: id,
    submissionId: id,
  }),
  z.object({
    type: z
      .literal('REVEALED')
      .describe("To the seller: staff looked at a card's number, PIN, photos or payout account"),
    userId: id,
    submissionId: id,
  }),
  z.object({
    type: z.literal('SELLER_UPDATE').describe('For staff: the state of a seller has changed'),
    userId: id,
  }),
  z.object({
    type: z
      .literal('NEW_CHAT_MESSAGE')
      .describe('To staff who chat from a customer, or to a customer from staff'),
    username: z.string().describe('The author. Customers do not see staff usernames'),
    message: z.string().describe('A shortened preview, with anything like a card number masked'),
    userId: id.optional(),
    sessionId: z.string().optional(),
    threadId: id.optional().describe('For staff'),
  }),
  z.object({
    type: z.literal('ANSWERING').describe('To a customer: whether staff are writing a reply'),
    seconds: z
      .number()
      .int()
      .describe('How long to show it, unless a reply comes first. 0: they have stopped'),
    userId: id.optional(),
    sessionId: z.string().optional(),
  }),
  z.object({
    type: z
      .literal('THREAD_UPDATE')
      .describe(
        'For staff who chat: a colleague replied in a thread, closed, snoozed or assigned it, or started or stopped writing a reply; or the customer or a colleague read it',
      ),
    threadId: id,
    what: z.enum(['replied', 'read', 'answering', 'changed']),
  }),
  z.object({ type: z.literal('PONG').describe('The answer to the text `ping`') }),
])
export type LiveMessage = z.input<typeof liveMessage>

/** The close codes of the server. Clients reconnect after all of them but 1000. */
export const closeCodes = { signedOut: 1000, goingAway: 1012, tooSlow: 1013, tooMany: 4029 } as const

/** Sockets that one person or contact thread may have open per server, to bound memory. More are closed with `tooMany`. */
export const MAX_SOCKETS = 600
