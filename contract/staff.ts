import { z } from 'zod'
import { statuses } from '#domain/submission.ts'
import { route } from './route.ts'
import { claim } from './staff-submissions.ts'
import { decimal, done, id, page, searchText, time, withId } from './values.ts'

/** An account as staff see it, with its record as a seller. */
export const staffUser = z.object({
  id,
  username: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  role: z.string(),
  verified: z.boolean(),
  rating: decimal.describe('The mean of the reviews, from "0.00" (none) to "5.00"'),
  reviewCount: z.number().int(),
  tradeCount: z.number().int(),
  submissions: z
    .number()
    .int()
    .describe('Submissions that clear-all has not removed, and what became of them'),
  completed: z.number().int(),
  rejected: z.number().int(),
  createdAt: time,
})
export type StaffUser = z.infer<typeof staffUser>

/** A transaction as staff see it; its status is its submission's. */
export const staffTransaction = z.object({
  id,
  giftCardId: id,
  type: z.literal('sell'),
  amount: decimal,
  status: z.enum(statuses),
  brandName: z.string(),
  unlistedBrand: z.boolean(),
  username: z.string(),
  createdAt: time,
})
export type StaffTransaction = z.infer<typeof staffTransaction>

/** Why another submission may be the same card, or the same person, again. */
export const duplicateReasons = ['card_number', 'photo', 'payment_account'] as const
export type DuplicateReason = (typeof duplicateReasons)[number]

/** Another submission that resembles one; `status` and `statusReason` say what became of it. */
export const duplicate = z.object({
  id,
  brand: z.string(),
  brandName: z.string(),
  unlistedBrand: z.boolean(),
  denomination: decimal,
  status: z.enum(statuses),
  statusReason: z.string().nullable(),
  reasons: z.array(z.enum(duplicateReasons)).describe('At least one, the strongest first'),
  user: z.object({ id, username: z.string() }),
  sameSeller: z
    .boolean()
    .describe('Whether both are of one seller: then a shared payout account means little'),
  createdAt: time,
})
export type Duplicate = z.infer<typeof duplicate>

/** What became of everything that a seller has submitted. */
export const sellerRecord = z.object({
  submissions: z.number().int(),
  completed: z.number().int(),
  rejected: z.number().int(),
  unlisted: z.number().int().describe('Of brands that the catalogue does not have'),
})
export type SellerRecord = z.infer<typeof sellerRecord>

const searchedPage = page.extend({ q: searchText.optional() })
const transactionFilter = z.object({
  q: searchText.optional(),
  status: z.enum(statuses, { error: 'Unknown status' }).optional(),
})

export const staffRoutes = {
  staffUsers: route({
    method: 'GET',
    path: '/api/admin/users',
    summary: 'All accounts, newest first; `q` searches usernames, e-mails, names and ids',
    access: 'staff',
    limit: 'read',
    query: searchedPage,
    answers: { 200: z.array(staffUser) },
  }),
  staffTransactions: route({
    method: 'GET',
    path: '/api/admin/transactions',
    summary: 'All transactions, newest first; `q` searches ids, brands, usernames, e-mails and amounts',
    access: 'staff',
    limit: 'read',
    query: searchedPage.extend(transactionFilter.shape),
    answers: { 200: z.array(staffTransaction) },
  }),
  exportTransactions: route({
    method: 'GET',
    path: '/api/admin/transactions.csv',
    summary: 'The same list, all of it, as a CSV file (RFC 4180, UTF-8)',
    access: 'staff',
    limit: 'reveal',
    query: transactionFilter,
    answers: {},
    file: 'text/csv',
  }),
  clearableSubmissions: route({
    method: 'GET',
    path: '/api/admin/submissions/clearable',
    summary: 'How many submissions of which status clear-all would remove now',
    access: 'staff',
    limit: 'read',
    answers: {
      200: z.object({
        total: z.number().int(),
        byStatus: z.partialRecord(z.enum(statuses), z.number().int()),
      }),
    },
  }),
  clearSubmissions: route({
    method: 'DELETE',
    path: '/api/admin/submissions',
    summary: 'Remove every submission that is not completed and erase its secrets and photos',
    access: 'staff',
    limit: 'write',
    answers: { 200: done.extend({ deletedCount: z.number().int() }) },
  }),
  claimSubmission: route({
    method: 'POST',
    path: '/api/admin/submissions/:id/claim',
    summary:
      'Claim a submission for a minute, or keep the claim; 409 `claimed` when somebody else has it and `takeOver` is not set',
    access: 'staff',
    limit: 'write',
    refuses: ['claimed'],
    params: withId,
    body: z.object({ takeOver: z.boolean().optional() }).nullish(),
    answers: { 200: claim },
  }),
  releaseSubmission: route({
    method: 'DELETE',
    path: '/api/admin/submissions/:id/claim',
    summary: "Give one's own claim back; fine when there is none",
    access: 'staff',
    limit: 'write',
    params: withId,
    answers: { 200: done },
  }),
  duplicates: route({
    method: 'GET',
    path: '/api/admin/submissions/:id/duplicates',
    summary: 'Other submissions with the same card number, a similar photo or the same payout account',
    access: 'staff',
    limit: 'read',
    params: withId,
    answers: { 200: z.array(duplicate) },
  }),
  sellerRecord: route({
    method: 'GET',
    path: '/api/admin/submissions/:id/seller-record',
    summary: "The record of the submission's seller",
    access: 'staff',
    limit: 'read',
    params: withId,
    answers: { 200: sellerRecord },
  }),
}
