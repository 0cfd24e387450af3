import type { FastifyRequest } from 'fastify'
import { ledgerRoutes } from '#contract/ledger.ts'
import { reportRoutes } from '#contract/reports.ts'
import { taxDetailsRoutes } from '#contract/tax-details.ts'
import { isReport, type ReportName } from '#domain/reports.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { sendCsv } from '#server/http/csv.ts'
import type { Limits } from '#server/http/limits/limits.ts'
import { notFound } from '#server/http/refusal.ts'
import type { Serve } from '#server/http/serve.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { writeJournal } from './journal.ts'
import { readLedger } from './ledger.ts'
import { exportReport, readReport } from './reports.ts'
import { writeSellerTotals } from './seller-totals.ts'
import { countTaxForms, exportTaxForms } from './tax-forms.ts'

/** Throws `Refusal` if it is not the administrator's own password. */
type RequirePassword = (request: FastifyRequest, staff: Staff, password: string) => Promise<void>

export function serveReports(
  serve: Serve,
  context: Context,
  { limits, requirePassword }: { limits: Limits; requirePassword: RequirePassword },
): void {
  const { db } = context

  serve(reportRoutes.report, async ({ params, query }) => [
    ...(await readReport(context, known(params.name), query)),
  ])

  serve(reportRoutes.exportReport, async ({ actor, params, query, reply }) => {
    const name = known(params.name)
    const csv = await exportReport(context, actor, name, query)
    return sendCsv(reply, `${name}-${query.from}-${query.to}`, csv)
  })

  serve(ledgerRoutes.ledger, ({ query }) => readLedger(context, query))

  serve(ledgerRoutes.exportJournal, async ({ actor, query: { month }, reply }) => {
    await recordExport(context, actor, 'journal', { month })
    return sendCsv(reply, `journal-${month}`, writeJournal(db, month))
  })

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

function known(name: string): ReportName {
  if (!isReport(name)) throw notFound()
  return name
}

function recordExport(
  { db }: Context,
  actor: Staff,
  id: string,
  details: Record<string, unknown>,
): Promise<void> {
  return transaction(db, (tx) =>
    record(tx, { actor, action: 'report.exported', subject: { kind: 'report', id }, details }),
  )
}
