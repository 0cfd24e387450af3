import { z } from 'zod'
import { addDays, daysIn, MAX_DAYS, reportNames, steps } from '#domain/reports.ts'
import type { FieldCode } from '#words/keys.ts'
import { route } from './route.ts'
import { isUsualYear } from './values.ts'

const day = z.iso
  .date({ error: 'day_invalid' satisfies FieldCode })
  .refine(isUsualYear, 'day_invalid' satisfies FieldCode)

export const reportRange = z
  .object({
    from: day.optional().describe('The first day, in UTC. By default 29 days before `to`'),
    to: day.optional().describe('The last day. Today by default'),
    by: z
      .enum(steps, { error: 'step_unknown' satisfies FieldCode })
      .default('day')
      .describe('Weeks start on Monday'),
  })
  .transform(({ to = new Date().toISOString().slice(0, 10), from = addDays(to, -29), by }) => ({
    from,
    to,
    by,
  }))
  .superRefine((range, context) => {
    const refuse = (message: FieldCode, params = {}) =>
      context.addIssue({ code: 'custom', path: ['from'], message, params })
    const maximum = MAX_DAYS[range.by]
    if (daysIn(range) < 1) refuse('times_reversed')
    if (daysIn(range) > maximum) refuse('range_too_long', { maximum })
  })

/** Unknown names are answered with 404, not 400. */
const withName = z.object({ name: z.string().describe(reportNames.join(', ')) })

const reportRow = z
  .record(z.string(), z.union([z.string(), z.number()]).nullable())
  .describe('`period` is the first day. Money is in dollars, shares in percent, times in seconds')

export const reportRoutes = {
  report: route({
    method: 'GET',
    path: '/api/admin/reports/:name',
    summary: 'A report by day, week or month. `owed` is as of now, `stock` at the end of each period',
    access: 'read_reports',
    limit: 'read',
    params: withName,
    query: reportRange,
    answers: { 200: z.array(reportRow) },
  }),
  exportReport: route({
    method: 'GET',
    path: '/api/admin/reports/:name.csv',
    summary: 'The same rows as a CSV file, which the audit log records',
    access: 'read_reports',
    limit: 'reveal',
    params: withName,
    query: reportRange,
    answers: {},
    file: 'text/csv',
  }),
}
