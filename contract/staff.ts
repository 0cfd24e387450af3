import { z } from 'zod'
import { sellerStates } from '#domain/seller-state.ts'
import { statuses } from '#domain/submission.ts'
import type { FieldCode } from '#words/keys.ts'
import { locales } from '#words/locales.ts'
import { assignee, colleague } from './administrators.ts'
import { route } from './route.ts'
import { claim } from './staff-submissions.ts'
import { decimal, done, id, instant, money, page, searchText, withId } from './values.ts'

/** An account as staff see it, with its submissions by outcome. */
export const staffUser = z.object({
  id,
  username: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  role: z.string(),
  locale: z.enum(locales).describe('The language of the seller'),
  verified: z.boolean(),
  state: z.enum(sellerStates),
  rating: decimal.describe('The mean of the reviews, from "0.00" (no reviews) to "5.00"'),
  reviewCount: z.number().int(),
  tradeCount: z.number().int(),
  submissions: z
    .number()
    .int()
    .describe('Submissions that clear-all has not removed; the next fields count some by outcome'),
  completed: z.number().int(),
  rejected: z.number().int(),
  createdAt: instant,
})
export type StaffUser = z.input<typeof staffUser>

/** A transaction as staff see it, with the status of its submission. */
export const staffTransaction = z.object({
  id,
  giftCardId: id,
  type: z.literal('sell'),
  amount: money,
  status: z.enum(statuses),
  brandName: z.string(),
  unlistedBrand: z.boolean(),
  username: z.string(),
  createdAt: instant,
})
export type StaffTransaction = z.input<typeof staffTransaction>

/** Why another submission may involve the same card or person. */
export const duplicateReasons = ['card_number', 'photo', 'payment_account'] as const
export type DuplicateReason = (typeof duplicateReasons)[number]

/** Another submission that resembles this one. */
export const duplicate = z.object({
  id,
  brand: z.string(),
  brandName: z.string(),
  unlistedBrand: z.boolean(),
  denomination: money,
  status: z.enum(statuses),
  statusReason: z.string().nullable(),
  reasons: z.array(z.enum(duplicateReasons)).describe('At least one, strongest first'),
  photos: z
    .object({ own: z.string(), other: z.string(), percent: z.number().int() })
    .nullable()
    .describe(
      'The two photos that resemble each other most, and how many of the compared cells are equal. Null without a similar photo, or if the role may not see both',
    ),
  user: z.object({ id, username: z.string() }),
  sameSeller: z
    .boolean()
    .describe('Whether both are from the same seller, which makes a shared payout account less suspicious'),
  createdAt: instant,
})
export type Duplicate = z.input<typeof duplicate>
export type DuplicateAnswer = z.output<typeof duplicate>

/** All submissions of a seller, by outcome. */
export const sellerRecord = z.object({
  submissions: z.number().int(),
  completed: z.number().int(),
  rejected: z.number().int().describe('Rejected at least once, also if the seller appealed'),
  appealed: z.number().int(),
  unlisted: z.number().int().describe('Submissions of brands that are not in the catalog'),
})
export type SellerRecord = z.infer<typeof sellerRecord>

const searchedPage = page.extend({ q: searchText.optional() })
const transactionFilter = z.object({
  q: searchText.optional(),
  status: z.enum(statuses, { error: 'status_unknown' satisfies FieldCode }).optional(),
})

export const staffRoutes = {
  staffUsers: route({
    method: 'GET',
    path: '/api/admin/users',
    summary:
      'All accounts, newest first. Use q to search usernames, emails, names, ids and, if the role sees them, phone numbers',
    access: 'see_sellers',
    limit: 'read',
    query: searchedPage,
    answers: { 200: z.array(staffUser) },
  }),
  staffTransactions: route({
    method: 'GET',
    path: '/api/admin/transactions',
    summary: 'All transactions, newest first. Use q to search ids, brands, usernames, emails and amounts',
    access: 'see_submissions',
    limit: 'read',
    query: searchedPage.extend(transactionFilter.shape),
    answers: { 200: z.array(staffTransaction) },
  }),
  exportTransactions: route({
    method: 'GET',
    path: '/api/admin/transactions.csv',
    summary: 'All transactions as a CSV file (RFC 4180, UTF-8)',
    access: 'read_reports',
    limit: 'reveal',
    query: transactionFilter,
    answers: {},
    file: 'text/csv',
  }),
  clearableSubmissions: route({
    method: 'GET',
    path: '/api/admin/submissions/clearable',
    summary: 'The number of submissions clear-all would remove now, by status',
    access: 'clear_submissions',
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
    summary:
      'Remove every submission that is not completed and erase its secrets and photos. Keeps those on hold, those whose payout is on its way, and those whose card left the stock',
    access: 'clear_submissions',
    limit: 'write',
    answers: { 200: done.extend({ deletedCount: z.number().int() }) },
  }),
  claimSubmission: route({
    method: 'POST',
    path: '/api/admin/submissions/:id/claim',
    summary:
      'Claim a submission for a minute, or renew your claim. 409 `claimed` if a colleague has it and `takeOver` is not set',
    access: 'move',
    limit: 'write',
    refuses: ['claimed'],
    params: withId,
    body: z.object({ takeOver: z.boolean().optional() }).nullish(),
    answers: { 200: claim },
  }),
  colleagues: route({
    method: 'GET',
    path: '/api/admin/colleagues',
    summary: 'The administrators who are not disabled, by name, to assign work to',
    access: 'see_submissions',
    limit: 'read',
    answers: { 200: z.array(colleague) },
  }),
  assignSubmission: route({
    method: 'POST',
    path: '/api/admin/submissions/:id/assign',
    summary:
      'Claim a submission for a colleague for a day or until its next move, and notify them. null ends that. 409 `claimed` if somebody else has claimed it',
    access: 'move',
    limit: 'write',
    refuses: ['claimed'],
    params: withId,
    body: z.object({ assignedTo: assignee.nullable() }),
    answers: { 200: z.object({ claimedBy: claim.nullable() }) },
  }),
  releaseSubmission: route({
    method: 'DELETE',
    path: '/api/admin/submissions/:id/claim',
    summary: 'Releases your claim. Succeeds if you have none',
    access: 'move',
    limit: 'write',
    params: withId,
    answers: { 200: done },
  }),
  duplicates: route({
    method: 'GET',
    path: '/api/admin/submissions/:id/duplicates',
    summary: 'Other submissions with the same card number, a similar photo or the same payout account',
    access: 'see_details',
    limit: 'read',
    params: withId,
    answers: { 200: z.array(duplicate) },
  }),
  sellerRecord: route({
    method: 'GET',
    path: '/api/admin/submissions/:id/seller-record',
    summary: "All submissions of this submission's seller, by outcome",
    access: 'see_details',
    limit: 'read',
    params: withId,
    answers: { 200: sellerRecord },
  }),
}
