import { z } from 'zod'
import {
  accountNumberProblem,
  accountProblem,
  accountTypes,
  paymentTypes,
  routingNumberProblem,
} from '#domain/payment-methods.ts'
import type { FieldCode } from '#words/keys.ts'
import { route } from './route.ts'
import { done, id, instant, line, optionalText, withId } from './values.ts'

/** A saved payment method, as its seller sees it: bank numbers show only their last four digits. */
export const paymentMethod = z.object({
  id,
  userId: id,
  type: z.enum(paymentTypes),
  accountInfo: z.string(),
  accountName: z.string(),
  accountType: z.enum(accountTypes).nullable().describe('For bank accounts'),
  isDefault: z.boolean(),
  isActive: z.boolean(),
  routingNumberSuspect: z
    .boolean()
    .describe('The check digit of the routing number is wrong, so it cannot be paid'),
  problem: z.string().nullable().describe('Why it can no longer be used for a submission; null if it can'),
  cameBackAt: instant
    .optional()
    .describe('When the last payout to it came back, unless it only reached a limit. Only in the list'),
  createdAt: instant,
})
export type PaymentMethod = z.input<typeof paymentMethod>
export type PaymentMethodAnswer = z.output<typeof paymentMethod>

const account = z.object({
  type: z.enum(paymentTypes, { error: 'payment_method_type_required' satisfies FieldCode }),
  accountInfo: optionalText(255).describe(
    'Ignored for a bank transfer: the server composes it from the two numbers',
  ),
  accountName: line({ max: 100, required: 'account_name_required' }),
  routingNumber: optionalText(34),
  accountNumber: optionalText(34),
  accountType: z
    .enum(accountTypes, { error: 'account_type_unknown' satisfies FieldCode })
    .optional()
    .describe('For bank accounts. `checking` by default'),
})
const fields = account.extend({
  isDefault: z.boolean({ error: 'is_default_invalid' satisfies FieldCode }).optional(),
})
type Fields = z.output<typeof fields>

// zod skips refinements if any field is invalid. These run anyway, so one answer names every error.
const always = { when: ({ value }: { value: unknown }) => typeof value === 'object' && value !== null }

const isBank = ({ type }: Partial<Fields>): boolean => type === 'bank_transfer'
const given = (value: unknown): value is string => typeof value === 'string' && value.trim() !== ''

/** A refinement that fails with the field's problem as its error. */
function fits(path: keyof Fields, problemOf: (sent: Fields) => FieldCode | false | undefined) {
  const error = ({ input }: { input?: unknown }) => problemOf(input as Fields) || undefined
  const at: PropertyKey[] = [path]
  return [(sent: Fields) => !problemOf(sent), { path: at, error, ...always }] as const
}

/** A new payment method. The form uses this schema too. */
export const newPaymentMethod = fields
  .refine((sent) => isBank(sent) || given(sent.accountInfo), {
    path: ['accountInfo'],
    error: 'account_information_required' satisfies FieldCode,
    ...always,
  })
  .refine((sent) => !isBank(sent) || (given(sent.routingNumber) && given(sent.accountNumber)), {
    path: ['routingNumber'],
    error: 'bank_numbers_required' satisfies FieldCode,
    ...always,
  })
  .refine(
    ...fits(
      'accountInfo',
      ({ type, accountInfo }) => !isBank({ type }) && given(accountInfo) && accountProblem(type, accountInfo),
    ),
  )
  .refine(
    ...fits(
      'routingNumber',
      (sent) => isBank(sent) && given(sent.routingNumber) && routingNumberProblem(sent.routingNumber),
    ),
  )
  .refine(
    ...fits(
      'accountNumber',
      (sent) => isBank(sent) && given(sent.accountNumber) && accountNumberProblem(sent.accountNumber),
    ),
  )
export type NewPaymentMethod = z.output<typeof newPaymentMethod>

/** Another account for a payout that came back: a new one, which has to fit `newPaymentMethod`, or a saved one. */
export const payoutAccount = account.partial({ type: true, accountName: true }).extend({
  paymentMethodId: optionalText(64).describe('A saved payment method, instead of the other fields'),
  sameAccount: z
    .boolean()
    .optional()
    .describe("Also use it for the seller's other cards that were to be paid to the same account"),
  remember: z.boolean().optional().describe('Also save a new account as a payment method'),
})
export type PayoutAccount = z.output<typeof payoutAccount>

export const paymentMethodRoutes = {
  paymentMethods: route({
    method: 'GET',
    path: '/api/payment-methods',
    summary: "The seller's payment methods, newest first",
    access: 'seller',
    limit: 'read',
    answers: { 200: z.array(paymentMethod) },
  }),
  addPaymentMethod: route({
    method: 'POST',
    path: '/api/payment-methods',
    summary:
      'Save a payment method. The first one becomes the default, as does one that can be paid if the default cannot',
    access: 'seller',
    limit: 'account',
    body: newPaymentMethod,
    answers: { 201: paymentMethod },
  }),
  setDefaultMethod: route({
    method: 'PUT',
    path: '/api/payment-methods/:id/default',
    summary: 'Make a payment method that can be paid the default',
    access: 'seller',
    limit: 'account',
    params: withId,
    answers: { 200: paymentMethod },
  }),
  deletePaymentMethod: route({
    method: 'DELETE',
    path: '/api/payment-methods/:id',
    summary: 'Remove a payment method. If it was the default, another one becomes the default',
    access: 'seller',
    limit: 'account',
    params: withId,
    answers: { 200: done },
  }),
}
