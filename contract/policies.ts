import { z } from 'zod'
import { BRAND_SLUG } from '#domain/brands.ts'
import {
  MAX_WAIT_MINUTES,
  MIN_SAMPLE_PERCENT,
  policyModes,
  policyOutcomes,
  policyReasons,
} from '#domain/policy.ts'
import type { FieldCode } from '#words/keys.ts'
import { route } from './route.ts'
import { dollars, id, instant, line, money, withId } from './values.ts'

const badAmount = 'amount_not_positive' satisfies FieldCode
const amount = () => dollars(badAmount).refine((cents) => cents > 0, badAmount)

/** A whole number, as a number or as typed. */
function whole(minimum: number, maximum: number) {
  const error = { error: 'whole_number' satisfies FieldCode, params: { minimum, maximum } }
  return z
    .union([z.string().trim().max(10).regex(/^\d+$/, error), z.number()], error)
    .transform(Number)
    .refine((typed) => Number.isInteger(typed) && typed >= minimum && typed <= maximum, error)
}

const brandsError = 'policy_brands' satisfies FieldCode

/** What a policy decides by. */
export const policyTerms = z.object({
  name: line({ max: 60, required: 'name_required' }),
  brands: z
    .array(z.string().regex(BRAND_SLUG, 'brand_invalid' satisfies FieldCode), brandsError)
    .min(1, brandsError)
    .max(100, brandsError)
    .transform((slugs) => [...new Set(slugs)].sort())
    .describe('Slugs'),
  maxFaceValue: amount().describe('In dollars'),
  minAccountDays: whole(0, 3650).describe("The lowest age of the seller's account"),
  minCompletedSales: whole(0, 10_000),
  waitMinutes: whole(0, MAX_WAIT_MINUTES).describe('A card must have been here for this long'),
  sellerLimit: amount().describe('Prices that policies approve in one day for one seller, in dollars'),
  shopLimit: amount().describe('The same for all sellers'),
  samplePercent: whole(MIN_SAMPLE_PERCENT, 100).describe(
    'Of the cards that it could approve, the percentage that a person decides on',
  ),
  paysAtOnce: z
    .boolean({ error: 'pays_at_once' satisfies FieldCode })
    .default(false)
    .describe('A payment of what it approved leaves without a person, if the shop has a payout provider'),
})
export type PolicyTermsTyped = z.input<typeof policyTerms>

const modeError = { error: 'policy_mode' satisfies FieldCode }
export const policyForm = policyTerms.extend({
  mode: z
    .enum(policyModes, modeError)
    .exclude(['on'], modeError)
    .describe('A new or changed policy is off, or only records what it would decide'),
})
export type PolicyForm = z.output<typeof policyForm>

const seen = { version: z.number().int().positive().describe('The version that you saw') }

const policyFields = {
  id,
  version: z.number().int(),
  mode: z.enum(policyModes),
  name: z.string(),
  brands: z.array(z.string()),
  maxFaceValue: money,
  minAccountDays: z.number().int(),
  minCompletedSales: z.number().int(),
  waitMinutes: z.number().int(),
  sellerLimit: money,
  shopLimit: money,
  samplePercent: z.number().int(),
  paysAtOnce: z.boolean(),
  writtenBy: z.string().describe('Who wrote the conditions'),
  by: z.string().describe('Who made this version'),
  at: instant,
}

/** One version of a policy. */
export const policyVersion = z.object(policyFields)
export type PolicyVersion = z.input<typeof policyVersion>
export type PolicyVersionAnswer = z.output<typeof policyVersion>

/** The newest version, and what it did today. */
export const policy = z.object({
  ...policyFields,
  approvedToday: money.describe('The prices that this policy approved today'),
  shopToday: money.describe('The prices that all policies approved today, which count for its limits'),
})
export type Policy = z.input<typeof policy>
export type PolicyAnswer = z.output<typeof policy>

const policyList = z.object({
  stoppedAt: instant.nullable().describe('All policies are stopped since then'),
  policies: z.array(policy),
})

const count = z.number().int()

/** One week of a policy: what it approved or would have approved, beside what people decided. */
export const policyWeek = z.object({
  week: z.iso.date().describe('Its Monday'),
  passed: count.describe('Cards that it approved or would have approved'),
  approved: count.describe('Of them, approved by the policy'),
  same: count.describe('People approved the card at this price, and it did not fail'),
  different: count.describe('People rejected the card or offered less, or it failed or turned out bad'),
  open: count.describe('Cards that still wait for a person'),
  cost: money.describe('What cards cost that people rejected, that failed or turned out bad'),
  people: count.describe('Cards of its brands that it left to a person'),
})
export type PolicyWeek = z.input<typeof policyWeek>
export type PolicyWeekAnswer = z.output<typeof policyWeek>

/** What the typed fields would have done with the latest cards. */
export const policyPreview = z.object({
  cards: count.describe('The cards that were looked at'),
  passed: count.describe('It would have approved them'),
  price: money.describe('What they cost together'),
  stopped: z.array(z.object({ code: z.enum(policyReasons), cards: count })).describe('Most cards first'),
})
export type PolicyPreview = z.input<typeof policyPreview>
export type PolicyPreviewAnswer = z.output<typeof policyPreview>

/** What a policy said about a card, for staff. */
export const policyDecision = z.object({
  policyId: id,
  version: z.number().int(),
  name: z.string(),
  outcome: z.enum(policyOutcomes),
  reason: z.enum(policyReasons).nullable().describe('Why a person decides'),
  at: instant,
})
export type PolicyDecision = z.input<typeof policyDecision>
export type PolicyDecisionAnswer = z.output<typeof policyDecision>

export const policyRoutes = {
  policies: route({
    method: 'GET',
    path: '/api/admin/policies',
    summary: 'The policies that approve cards without a person, oldest first',
    access: 'see_policies',
    limit: 'read',
    answers: { 200: policyList },
  }),
  addPolicy: route({
    method: 'POST',
    path: '/api/admin/policies',
    summary: 'Add a policy, off or in shadow mode',
    access: 'write_policies',
    limit: 'write',
    body: policyForm,
    answers: { 201: policyVersion },
  }),
  policyVersions: route({
    method: 'GET',
    path: '/api/admin/policies/:id/versions',
    summary: 'The versions of a policy, newest first, at most 200',
    access: 'see_policies',
    limit: 'read',
    params: withId,
    answers: { 200: z.array(policyVersion) },
  }),
  changePolicy: route({
    method: 'PUT',
    path: '/api/admin/policies/:id',
    summary: 'Change a policy, which makes a new version. It is then off or in shadow mode',
    access: 'write_policies',
    limit: 'write',
    refuses: ['policy_changed'],
    params: withId,
    body: policyForm.extend(seen),
    answers: { 200: policyVersion },
  }),
  setPolicyMode: route({
    method: 'POST',
    path: '/api/admin/policies/:id/mode',
    summary: 'Turn a policy on or off, or into shadow mode. Somebody else than its author turns it on',
    access: 'write_policies',
    limit: 'write',
    refuses: ['policy_changed', 'second_person_needed'],
    params: withId,
    body: z.object({ mode: z.enum(policyModes, modeError), ...seen }),
    answers: { 200: policyVersion },
  }),
  policyReport: route({
    method: 'GET',
    path: '/api/admin/policies/:id/report',
    summary: 'What a policy decided or would have decided beside what people decided, by week, newest first',
    access: 'see_policies',
    limit: 'read',
    params: withId,
    answers: { 200: z.array(policyWeek) },
  }),
  previewPolicy: route({
    method: 'POST',
    path: '/api/admin/policies/preview',
    summary: 'What a policy with these fields would have done with the latest 1,000 cards. Changes nothing',
    access: 'see_policies',
    limit: 'write',
    body: policyTerms,
    answers: { 200: policyPreview },
  }),
  stopPolicies: route({
    method: 'POST',
    path: '/api/admin/policies/stop',
    summary: 'Stop all policies at once. Decisions that are not committed yet are not made',
    access: 'write_policies',
    limit: 'write',
    answers: { 200: policyList },
  }),
  startPolicies: route({
    method: 'POST',
    path: '/api/admin/policies/start',
    summary: 'Let policies decide again after a stop',
    access: 'write_policies',
    limit: 'write',
    answers: { 200: policyList },
  }),
}
