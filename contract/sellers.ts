import { z } from 'zod'
import { sellerStates } from '#domain/seller-state.ts'
import { statuses } from '#domain/submission.ts'
import type { FieldCode } from '#words/keys.ts'
import { locales } from '#words/locales.ts'
import { bounceKinds } from './mail-bounces.ts'
import { payout } from './payouts.ts'
import { route } from './route.ts'
import { duplicateReasons } from './staff.ts'
import { needsAccount } from './staff-submissions.ts'
import { about, decimal, id, instant, isAboutOne, money, page, text, time } from './values.ts'

export const MAX_NOTE_LENGTH = 2000

/** What staff wrote about a seller or a submission. Never part of an answer, export or email for sellers. */
export const note = z.object({
  id,
  submissionId: id.nullable().describe('The submission that the note is about'),
  state: z
    .enum(sellerStates)
    .nullable()
    .describe('Set if the note is the reason for this state of the seller'),
  text: z.string(),
  by: z.string().describe('The username of the administrator'),
  at: instant,
})
export type Note = z.input<typeof note>
export type NoteAnswer = z.output<typeof note>

/** Another seller who may be the same person. */
export const sellerLink = z.object({
  user: z.object({ id, username: z.string(), state: z.enum(sellerStates) }),
  reasons: z.array(z.enum(duplicateReasons)).describe('What they share, strongest first'),
  submissionId: id.describe("The other seller's newest submission that shares it"),
})
export type SellerLink = z.infer<typeof sellerLink>

/** Everything staff know about a seller. */
export const staffSeller = z.object({
  id,
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string(),
  verified: z.boolean(),
  mustConfirmEmail: z.boolean().describe('Payouts wait until the email address is confirmed'),
  bounce: z
    .object({ kind: z.enum(bounceKinds), reason: z.string(), at: time })
    .nullable()
    .describe('The last report that mail to the address does not arrive. Null once an address is confirmed'),
  phoneNumber: z.string().nullable(),
  locale: z.enum(locales).describe('The language of the seller'),
  createdAt: instant,
  lastVisit: instant.nullable(),
  rating: decimal.describe('The mean of the reviews, from "0.00" (no reviews) to "5.00"'),
  reviewCount: z.number().int(),
  state: z.enum(sellerStates),
  stateChange: note
    .pick({ text: true, by: true, at: true })
    .nullable()
    .describe('The reason for the current state. Null if it has never changed'),
  totals: z
    .object({
      submitted: z.number().int(),
      open: z.number().int().describe('Not decided yet'),
      approved: z.number().int().describe('Approved and not paid yet'),
      completed: z.number().int(),
      rejected: z.number().int().describe('Counts appealed ones too'),
      failed: z.number().int(),
      paid: money.describe('What was sent'),
      owed: money.describe('What is still owed, or was sent and is not confirmed'),
      unpayable: money.describe('The part of `owed` that waits for another account of the seller'),
    })
    .describe('Submissions that clear-all has not removed'),
  submissions: z
    .array(
      z.object({
        id,
        brandName: z.string(),
        unlistedBrand: z.boolean(),
        denomination: money,
        quote: money,
        status: z.enum(statuses),
        needsAccount,
        createdAt: instant,
      }),
    )
    .describe('The newest 20'),
  payouts: z
    .array(
      payout
        .pick({
          id: true,
          number: true,
          submissionId: true,
          amount: true,
          paymentType: true,
          account: true,
          state: true,
          byHand: true,
          reference: true,
          dueAt: true,
          sentAt: true,
          paidAt: true,
          returnedAt: true,
          returnReason: true,
        })
        .extend({ voidedAt: instant.nullable().describe('When its submission failed, if that voided it') }),
    )
    .describe('The newest 20'),
  accounts: z
    .array(
      z.object({
        paymentType: z.string(),
        accountName: z.string(),
        account: z.string().describe('Masked'),
        since: instant.describe('When the seller first used it'),
        submissions: z.number().int(),
        otherSellers: z.number().int().describe('Other sellers who used it in its newest 200 submissions'),
      }),
    )
    .describe('Payout accounts of submissions, the last used first, at most 20'),
  links: z.array(sellerLink).describe('Strongest first, at most 20'),
  chat: z.object({ lastMessageTime: instant, unreadCount: z.number().int() }).nullable(),
  notes: z.array(note).describe('The newest 20, those of submissions included'),
})
export type StaffSeller = z.input<typeof staffSeller>
export type SellerAnswer = z.output<typeof staffSeller>

export const stateChange = z.object({
  state: z.enum(sellerStates, { error: 'state_unknown' satisfies FieldCode }),
  reason: text({ max: MAX_NOTE_LENGTH, required: 'reason_required' }).describe(
    'For staff only. Becomes a note',
  ),
  from: z
    .enum(sellerStates)
    .optional()
    .describe('The state that was seen. Refused with `seller_changed` if it has changed since'),
})

export const newNote = z
  .object({ ...about, text: text({ max: MAX_NOTE_LENGTH, required: 'text_required' }) })
  .refine(...isAboutOne)
const notesPage = page.extend(about).refine(...isAboutOne)

export const sellerRoutes = {
  staffSeller: route({
    method: 'GET',
    path: '/api/admin/seller',
    summary:
      'A seller: identity, state, totals, newest submissions, payout accounts, linked sellers, chat and notes',
    access: 'see_sellers',
    limit: 'read',
    refuses: ['not_found'],
    query: z.object({ id }),
    answers: { 200: staffSeller },
  }),
  changeSellerState: route({
    method: 'PATCH',
    path: '/api/admin/seller',
    summary: 'Hold a seller (submits, is not paid), block one (cannot submit), or make one active again',
    access: 'restrict_sellers',
    limit: 'write',
    refuses: ['not_found', 'seller_changed'],
    query: z.object({ id }),
    body: stateChange,
    answers: { 200: staffSeller },
  }),
  notes: route({
    method: 'GET',
    path: '/api/admin/notes',
    summary: 'The notes about a seller and their submissions, or about one submission, newest first',
    access: 'see_details',
    limit: 'read',
    refuses: ['not_found'],
    query: notesPage,
    answers: { 200: z.array(note) },
  }),
  addNote: route({
    method: 'POST',
    path: '/api/admin/notes',
    summary: 'Write a note about a seller or a submission. Notes cannot be changed',
    access: 'take_notes',
    limit: 'write',
    refuses: ['not_found'],
    body: newNote,
    answers: { 201: note },
  }),
}
