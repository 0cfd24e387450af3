import { z } from 'zod'
import { type ColumnKind, type ReportName, reportNames, reports, steps } from '#domain/reports.ts'
import type { FieldCode } from '#words/keys.ts'
import { route } from './route.ts'
import { isUsualYear, money, percent } from './values.ts'

const day = z.iso
  .date({ error: 'day_invalid' satisfies FieldCode })
  .refine(isUsualYear, 'day_invalid' satisfies FieldCode)

export const reportRange = z.object({
  from: day.optional().describe("The first day, in the shop's time zone. By default 29 days before `to`"),
  to: day.optional().describe('The last day. Today by default'),
  by: z
    .enum(steps, { error: 'step_unknown' satisfies FieldCode })
    .default('day')
    .describe('Weeks start on Monday'),
})

/** Unknown names are answered with 404, not 400. */
const withName = z.object({ name: z.string().meta({ enum: reportNames }) })

const cells: Readonly<Record<ColumnKind, z.ZodType>> = {
  period: z.iso.date().describe('Its first day'),
  text: z.string(),
  count: z.number().int(),
  money: money.describe('Dollars'),
  percent: percent.nullable().describe('Null if nothing was decided'),
  seconds: z.number().int().nullable().describe('Seconds. Null if there was nothing to measure'),
}

const columnsOf = (name: ReportName): string[] => Object.keys(reports[name])

/** Strict, because the columns tell the rows of reports apart. */
const rowsOf = (name: ReportName) =>
  z
    .array(
      z.strictObject(
        Object.fromEntries(Object.entries(reports[name]).map(([column, kind]) => [column, cells[kind]])),
      ),
    )
    .meta({ title: name })

/** To encode rows, take the schema of their report: a union tries one report after the other, which takes seconds for 10,000 rows. */
export const reportRows = Object.fromEntries(reportNames.map((name) => [name, rowsOf(name)])) as Readonly<
  Record<ReportName, ReturnType<typeof rowsOf>>
>

export const reportRoutes = {
  report: route({
    method: 'GET',
    path: '/api/admin/reports/:name',
    summary: 'A report by day, week or month. `owed` is as of now, `stock` at the end of each period',
    access: 'read_reports',
    limit: 'read',
    params: withName,
    query: reportRange,
    answers: {
      200: z
        .union(Object.values(reportRows) as [ReturnType<typeof rowsOf>])
        .describe('The rows of the report. Their columns depend on its name'),
    },
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
    columns: Object.fromEntries(reportNames.map((name) => [name, columnsOf(name)])),
  }),
}
