import { z } from 'zod'
import { roles } from '#domain/roles.ts'
import { stateCodes, taxpayerNumber, ZIP_CODE } from '#domain/tax-form.ts'
import type { FieldCode } from '#words/keys.ts'
import { ownPassword } from './inventory.ts'
import { route } from './route.ts'
import { instant, line, text } from './values.ts'

/** What a seller enters for form 1099-K. */
export const taxDetailsForm = z.object({
  name: line({ max: 100, required: 'tax_name_required' }),
  street: line({ max: 100, required: 'street_required' }),
  city: line({ max: 60, required: 'city_required' }),
  state: z
    .string()
    .transform((state) => state.trim().toUpperCase())
    .refine((state) => stateCodes.includes(state), 'state_invalid' satisfies FieldCode),
  zip: z
    .string()
    .trim()
    .regex(ZIP_CODE, 'zip_invalid' satisfies FieldCode),
  tin: text({ max: 20, required: 'tin_invalid' })
    .refine((tin) => taxpayerNumber(tin) !== undefined, 'tin_invalid' satisfies FieldCode)
    .describe('The taxpayer number: nine digits'),
})
export type TaxDetailsForm = z.output<typeof taxDetailsForm>

export const taxDetails = z.object({
  asked: z.boolean().describe('The seller was paid enough for a tax form, and the details are missing'),
  threshold: z.string().nullable().describe('Dollars in a year above which details are needed. Null: never'),
  details: taxDetailsForm
    .omit({ tin: true })
    .extend({ state: z.string(), zip: z.string(), tin: z.string().describe('Masked'), updatedAt: instant })
    .nullable(),
  exports: z
    .array(z.object({ at: instant, role: z.enum(roles) }))
    .describe('When staff exported the taxpayer number, newest first, at most 50'),
})
export type TaxDetails = z.input<typeof taxDetails>
export type TaxDetailsAnswer = z.output<typeof taxDetails>

export const taxDetailsRoutes = {
  taxDetails: route({
    method: 'GET',
    path: '/api/user/tax-details',
    summary: 'Whether details for a tax form are needed, and what the seller has entered',
    access: 'seller',
    limit: 'read',
    refuses: ['unreadable'],
    answers: { 200: taxDetails },
  }),
  saveTaxDetails: route({
    method: 'PUT',
    path: '/api/user/tax-details',
    summary: 'Enter or replace the details for a tax form. Not found unless they were asked for',
    access: 'seller',
    limit: 'account',
    refuses: ['not_found', 'unreadable'],
    body: taxDetailsForm,
    answers: { 200: taxDetails },
  }),
  exportTaxForms: route({
    method: 'POST',
    path: '/api/admin/reports/tax-forms',
    summary:
      'What form 1099-K needs of each seller who was paid more than the threshold in a year, with taxpayer numbers, as a CSV file. Each number counts as a reveal, which the audit log records',
    access: 'export_tax_forms',
    limit: 'write',
    refuses: ['unreadable'],
    body: ownPassword.extend({
      year: z
        .number({ error: 'year_invalid' satisfies FieldCode })
        .int()
        .min(2000)
        .max(2099),
    }),
    answers: {},
    file: 'text/csv',
  }),
}
