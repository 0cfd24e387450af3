import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { ledgerRoutes } from '#contract/ledger.ts'
import { type reportRange, reportRoutes, reportRows } from '#contract/reports.ts'
import { taxDetailsRoutes } from '#contract/tax-details.ts'
import { addDays, daysIn, isReport, MAX_DAYS, type Range, type ReportName } from '#domain/reports.ts'
import { dayIn } from '#domain/shop-time.ts'
import type { Context } from '#server/context.ts'
import { type AuditDetails, record } from '#server/features/audit/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { sendCsv } from '#server/http/csv.ts'
import type { Limits } from '#server/http/limits/limits.ts'
import { invalid, notFound } from '#server/http/refusal.ts'
import type { Serve } from '#server/http/serve.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { closeMonth, readClosedMonths } from './closed-months.ts'
import { writeJournal } from './journal.ts'
import { readLedger } from './ledger.ts'
import { exportReport, readReport } from './reports.ts'
import { writeSellerTotals } from './seller-totals.ts'
import { countTaxForms, exportTaxForms } from './tax-forms.ts'

/** Throws `Refusal` if it is not the administrator's own password. */
type RequirePassword = (request: FastifyRequest, staff: Staff, password: string) => Promise<unknown>

export function serveReports(
  serve: Serve,
  context: Context,
  { limits, requirePassword }: { limits: Limits; requirePassword: RequirePassword },
): void {
  const { db } = context
  const rangeOf = (query: z.output<typeof reportRange>) => toRange(query, context.site.timeZone)

  serve(reportRoutes.report, async ({ params, query, reply }) => {
    const name = known(params.name)
    const rows = z.encode(reportRows[name], await readReport(context, name, rangeOf(query)))
    return reply.serializer(JSON.stringify).send(rows)
  })

  serve(reportRoutes.exportReport, async ({ actor, params, query, reply }) => {
    const name = known(params.name)
    const range = rangeOf(query)
    const csv = await exportReport(context, actor, name, range)
    return sendCsv(reply, `${name}-${range.from}-${range.to}`, csv)
  })

  serve(ledgerRoutes.ledger, ({ query }) => readLedger(context, rangeOf(query)))

  serve(ledgerRoutes.exportJournal, async ({ actor, query: { month }, reply }) => {
    await recordExport(context, actor, 'journal', { month })
    return sendCsv(reply, `journal-${month}`, writeJournal(db, month))
  })

  serve(ledgerRoutes.closedMonths, () => readClosedMonths(db))

  serve(ledgerRoutes.closeMonth, ({ actor, body }) => closeMonth(context, actor, body.month))

  serve(ledgerRoutes.exportSellerTotals, async ({ actor, query: { year }, reply }) => {
    await recordExport(context, actor, 'sellers', { year })
    return sendCsv(reply, `sellers-${year}`, writeSellerTotals(db, year))
  })

  serve(taxDetailsRoutes.exportTaxForms, async ({ actor, body: { password, year }, request, reply }) => {
    await requirePassword(request, actor, password)
    await limits.count('reveal', actor.id, await countTaxForms(context, year))
    return sendCsv(reply, `tax-forms-${year}`, await exportTaxForms(context, actor, year))
  })
}

/** The days of a query. @throws {Refusal} if there are none or too many */
function toRange({ from: first, to: last, by }: z.output<typeof reportRange>, timeZone: string): Range {
  const to = last ?? dayIn(timeZone)
  const range = { from: first ?? addDays(to, -29), to, by }
  const maximum = MAX_DAYS[by]
  if (daysIn(range) < 1) throw invalid([{ path: 'from', code: 'times_reversed' }])
  if (daysIn(range) > maximum) throw invalid([{ path: 'from', code: 'range_too_long', params: { maximum } }])
  return range
}

function known(name: string): ReportName {
  if (!isReport(name)) throw notFound()
  return name
}

function recordExport({ db }: Context, actor: Staff, id: string, details: AuditDetails): Promise<void> {
  return transaction(db, (tx) =>
    record(tx, { actor, action: 'report.exported', subject: { kind: 'report', id }, details }),
  )
}
