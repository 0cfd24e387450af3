import { z } from 'zod'
import { BRAND_SLUG } from '#domain/brands.ts'
import { stockStates } from '#domain/inventory.ts'
import type { FieldCode } from '#words/keys.ts'
import { errorStatuses } from './errors.ts'
import { route } from './route.ts'
import {
  dollars,
  id,
  instant,
  isUsualYear,
  money,
  optionalText,
  page,
  searchText,
  text,
  withId,
} from './values.ts'

/** A card that we own or owned. Its id is that of its submission. */
export const stockItem = z.object({
  id,
  sellerId: id,
  username: z.string(),
  brand: z.string(),
  brandName: z.string(),
  unlistedBrand: z.boolean(),
  denomination: money,
  cardNumber: z.string().describe('Masked'),
  cost: money.describe('What the seller was paid'),
  state: z.enum(stockStates),
  channel: z.string().nullable().describe('Where it is listed or was sold'),
  soldAt: instant.nullable(),
  bookedOn: z.iso
    .date()
    .nullable()
    .describe('For a sold card: the value date of its sale. After `soldAt` if that month was closed'),
  proceeds: money.nullable().describe('What the buyer paid'),
  writtenOff: money.describe('For a bad card: the part of the debt that was written off'),
  submittedAt: instant,
  enteredAt: instant,
  leftAt: instant.nullable().describe('When it was sold, used or found bad'),
  secretsErasedAt: instant.nullable(),
})
export type StockItem = z.input<typeof stockItem>
export type StockAnswer = z.output<typeof stockItem>

/** The cards of a filter, by state. */
export const stockTotal = z.object({
  state: z.enum(stockStates),
  count: z.number().int(),
  cost: money,
  proceeds: money,
})
export type StockTotal = z.input<typeof stockTotal>

const state = z.enum(stockStates, { error: 'stock_state_unknown' satisfies FieldCode })
export const MAX_CHANNEL_LENGTH = 100
const channel = optionalText(MAX_CHANNEL_LENGTH)

const filterFields = {
  brand: z
    .string()
    .regex(BRAND_SLUG, 'brand_invalid' satisfies FieldCode)
    .optional(),
  channel,
  q: searchText
    .optional()
    .describe('An id, a reference, a brand, a seller, an amount, a card number or its last four digits'),
}
const stockFilter = z.object({ ...filterFields, state: state.optional() })
export type StockFilter = z.output<typeof stockFilter>

/** A sale may be dated in any time zone, so up to a day ahead. */
const AHEAD_MS = 24 * 60 * 60 * 1000

const soldAt = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], { error: 'sold_at_invalid' satisfies FieldCode })
  .refine(isUsualYear, 'sold_at_invalid' satisfies FieldCode)
  .refine((given) => Date.parse(given) <= Date.now() + AHEAD_MS, 'sold_at_future' satisfies FieldCode)

const changeFields = {
  state: state.describe('A sold, used or bad card can only go back to `in_stock`, which corrects a mistake'),
  channel: channel.describe(
    'Where it is listed or was sold. Without it a sold card keeps the channel it was listed on',
  ),
  soldAt: soldAt.optional().describe("With `sold`: a day in the shop's time zone or a time, now by default"),
  proceeds: dollars('proceeds_invalid')
    .refine((cents) => cents >= 0, 'proceeds_invalid' satisfies FieldCode)
    .optional()
    .describe('With `sold`: what the buyer paid for each card'),
}

const hasProceeds = (change: { state: string; proceeds?: number | undefined }) =>
  change.state !== 'sold' || change.proceeds !== undefined
const needsProceeds = { path: ['proceeds'], error: 'proceeds_required' satisfies FieldCode }

export const stockChange = z
  .object({ ...changeFields, from: state.optional().describe('The state you saw; 409 if it has changed') })
  .refine(hasProceeds, needsProceeds)
export type StockChange = z.output<typeof stockChange>

const ids = (maximum: number) => {
  const error = 'ids_out_of_range' satisfies FieldCode
  return z
    .array(id)
    .transform((given) => [...new Set(given)])
    .refine((given) => given.length >= 1 && given.length <= maximum, { error, params: { maximum } })
}

/** Maximum cards of one bulk change. */
export const MAX_BULK = 200

/** The same change for several cards. */
export const stockChanges = z
  .object({ ids: ids(MAX_BULK), ...changeFields })
  .refine(hasProceeds, needsProceeds)

/** A line of an import, whose columns may be in any order. Other columns are ignored. */
export const stockLine = z.object({ id, ...changeFields }).refine(hasProceeds, needsProceeds)

/** Maximum lines of one import, without the header. */
export const MAX_IMPORT_LINES = 1000
const MAX_IMPORT_LENGTH = 200_000
/** Maximum card numbers in one file. */
export const MAX_EXPORTED_CODES = 500
export const CODE_EXPORT_HOURS = 24

const codeExport = z.object({
  id,
  count: z.number().int(),
  fileSha256: z.string().describe('In hex'),
  createdAt: instant,
  expiresAt: instant,
})
export type CodeExport = z.input<typeof codeExport>

export const writeOff = z.object({
  amount: dollars('amount_invalid')
    .refine((cents) => cents > 0, 'amount_not_positive' satisfies FieldCode)
    .optional()
    .describe('In dollars. Everything by default'),
})

export const ownPassword = z.object({
  password: z
    .string({ error: 'password_required' satisfies FieldCode })
    .min(1, 'password_required' satisfies FieldCode)
    .max(1000),
})

export const inventoryRoutes = {
  inventory: route({
    method: 'GET',
    path: '/api/admin/inventory',
    summary: 'Completed cards with their status, newest first',
    access: 'see_inventory',
    limit: 'read',
    query: page.extend(stockFilter.shape),
    answers: { 200: z.array(stockItem) },
  }),
  stockTotals: route({
    method: 'GET',
    path: '/api/admin/inventory/totals',
    summary: 'How many cards of a filter are in each state, with their cost and proceeds',
    access: 'see_inventory',
    limit: 'read',
    query: z.object(filterFields),
    answers: { 200: z.array(stockTotal) },
  }),
  exportStock: route({
    method: 'GET',
    path: '/api/admin/inventory.csv',
    summary:
      'The inventory as a CSV file (RFC 4180, UTF-8), which an import takes back. Without card numbers',
    access: 'see_inventory',
    limit: 'reveal',
    query: stockFilter,
    answers: {},
    file: 'text/csv',
  }),
  changeStock: route({
    method: 'PATCH',
    path: '/api/admin/inventory/:id',
    summary:
      'Record the status of a card. A bad card makes the seller owe us its cost; putting it back into the stock cancels that. Null if the card left the inventory, because its submission is no longer completed',
    access: 'manage_inventory',
    limit: 'write',
    refuses: ['stock_changed', 'illegal_stock_move'],
    params: withId,
    body: stockChange,
    answers: { 200: stockItem.nullable() },
  }),
  changeStocks: route({
    method: 'POST',
    path: '/api/admin/inventory/bulk',
    summary: 'The same change for several cards. Each succeeds or is refused independently',
    access: 'manage_inventory',
    limit: 'write',
    body: stockChanges,
    answers: {
      200: z.object({
        changed: z.number().int(),
        refused: z.array(
          z.object({
            id,
            code: z.enum(Object.keys(errorStatuses) as [keyof typeof errorStatuses]),
            message: z.string(),
          }),
        ),
      }),
    },
  }),
  importStock: route({
    method: 'POST',
    path: '/api/admin/inventory/import',
    summary:
      'Changes from a CSV file with the columns id, state, channel, soldAt and proceeds, named in its first line. A line that was applied before changes nothing',
    access: 'manage_inventory',
    limit: 'write',
    body: z.object({
      csv: text({ max: MAX_IMPORT_LENGTH }).describe(`The file. At most ${MAX_IMPORT_LINES} lines`),
    }),
    answers: {
      200: z.object({
        changed: z.number().int(),
        already: z.number().int(),
        refused: z.array(z.object({ line: z.number().int(), text: z.string() })),
      }),
    },
  }),
  writeOff: route({
    method: 'POST',
    path: '/api/admin/inventory/:id/write-off',
    summary: 'Write off all or part of what the seller still owes for a bad card',
    access: 'manage_inventory',
    limit: 'write',
    refuses: ['illegal_stock_move', 'nothing_to_write_off'],
    params: withId,
    body: writeOff.nullish(),
    answers: { 200: stockItem },
  }),
  exportCodes: route({
    method: 'POST',
    path: '/api/admin/inventory/export',
    summary: `The numbers and PINs of cards as a CSV file, for the person who asks. Each card counts as a reveal, which the audit log records. \`Content-Location\` names the file, which the same person can download again for ${CODE_EXPORT_HOURS} hours`,
    access: 'release_codes',
    limit: 'write',
    refuses: ['not_found', 'erased', 'unreadable'],
    body: ownPassword.extend({ ids: ids(MAX_EXPORTED_CODES) }),
    answers: {},
    file: 'text/csv',
  }),
  codeExports: route({
    method: 'GET',
    path: '/api/admin/inventory/exports',
    summary: 'Your own files of card numbers that have not expired, newest first',
    access: 'release_codes',
    limit: 'read',
    answers: { 200: z.array(codeExport) },
  }),
  codeExport: route({
    method: 'POST',
    path: '/api/admin/inventory/exports/:id',
    summary:
      'Your own file of card numbers again, with the same bytes. Each card counts as a reveal again, which the audit log records',
    access: 'release_codes',
    limit: 'write',
    refuses: ['unreadable'],
    params: withId,
    body: ownPassword,
    answers: {},
    file: 'text/csv',
  }),
}
