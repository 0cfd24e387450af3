import { z } from 'zod'
import { statuses } from '#domain/submission.ts'
import { claim } from './staff-submissions.ts'
import { id, text } from './values.ts'

/**
 * The address of the live channel, on the page's own host. With `?sessionId=` it is the channel of that contact
 * thread and of nothing else, whoever is signed in.
 */
export const LIVE_PATH = '/ws'

export const liveQuery = z.object({
  sessionId: text({ max: 255, required: 'Session is required' }).optional(),
})

/**
 * The subprotocols of the handshake (RFC 6455, section 1.9). A client names one to get a channel for that session alone.
 * Without one the channel hears what every session of the browser may hear.
 */
export const liveSides = ['seller', 'staff'] as const
export type LiveSide = (typeof liveSides)[number]

/** What a client sends to learn whether the channel still works: browsers show no ping frames. */
export const LIVE_PING = 'ping'

/** What travels on the live channel. No card number, PIN or bank number ever does. */
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
      .describe("The stored word for staff, the seller's word for the seller"),
    answer: z
      .object({ brandName: z.string(), username: z.string() })
      .optional()
      .describe('For staff, when the seller has answered their question'),
  }),
  z.object({
    type: z
      .literal('CLAIM_UPDATE')
      .describe(
        'For staff: somebody claimed a submission, went on with it (a later `until`) or gave it back (null)',
      ),
    submissionId: id,
    claimedBy: claim.nullable(),
  }),
  z.object({
    type: z
      .literal('SUBMISSIONS_CLEARED')
      .describe('Submissions were removed: to staff, and with `userId` to each seller who had one of them'),
    userId: id.optional(),
  }),
  z.object({
    type: z.literal('NEW_CHAT_MESSAGE').describe('To staff from a customer, to the customer from staff'),
    username: z.string().describe('Whose message it is; customers are told no names of staff'),
    message: z.string().describe('A preview: cut, and with anything like a card number masked'),
    userId: id.optional(),
    sessionId: z.string().optional(),
    threadId: id.optional().describe('For staff'),
  }),
  z.object({
    type: z
      .literal('THREAD_UPDATE')
      .describe('For staff: a colleague replied in a thread, read it, or began or stopped answering'),
    threadId: id,
    what: z.enum(['replied', 'read', 'answering']),
  }),
  z.object({ type: z.literal('PONG').describe('The answer to the text `ping`') }),
])
export type LiveMessage = z.infer<typeof liveMessage>

/** The server ends a socket with these; 1000 is the only one a client does not reconnect after. */
export const closeCodes = { signedOut: 1000, goingAway: 1012, tooSlow: 1013, tooMany: 4029 } as const

/**
 * Sockets that one person, or one contact thread, may have open at each server; one more is closed with `tooMany`. More
 * windows than anybody has, and no more memory than one account should take.
 */
export const MAX_SOCKETS = 600
