import { z } from 'zod'
import { statuses } from '#domain/submission.ts'
import { id } from './values.ts'

/** The address of the live channel, on the page's own host. */
export const LIVE_PATH = '/ws'

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
    /** The stored word for staff, the seller's word for the seller. */
    status: z.union([z.enum(statuses), z.literal('approved')]),
  }),
  z.object({
    type: z.literal('NEW_CHAT_MESSAGE'),
    username: z.string(),
    message: z.string(),
    userId: id.optional(),
    sessionId: z.string().optional(),
  }),
])
export type LiveMessage = z.infer<typeof liveMessage>

/** The server ends a socket with these; 1000 is the only one a client does not reconnect after. */
export const closeCodes = { signedOut: 1000, goingAway: 1012, tooSlow: 1013 } as const
