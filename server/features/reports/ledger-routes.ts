import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { ledgerRoutes as routes } from '#contract/ledger.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import type { Serve } from '#server/http/serve.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { writeJournal } from './journal.ts'
import { readLedger } from './ledger.ts'
import { writeSellerTotals } from './seller-totals.ts'

export function serveLedger(serve: Serve, context: Context): void {
  const { db } = context

  serve(routes.ledger, ({ query }) => readLedger(context, query))

  serve(routes.exportJournal, async ({ actor, query: { month }, reply }) => {
    await recordExport(context, actor, 'journal', { month })
    return sendCsv(reply, `journal-${month}.csv`, writeJournal(db, month))
  })

  serve(routes.exportSellerTotals, async ({ actor, query: { year }, reply }) => {
    await recordExport(context, actor, 'sellers', { year })
    return sendCsv(reply, `sellers-${year}.csv`, writeSellerTotals(db, year))
  })
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

function sendCsv(reply: FastifyReply, name: string, csv: AsyncIterable<string>) {
  return reply
    .type('text/csv; charset=utf-8; header=present')
    .header('content-disposition', `attachment; filename="${name}"`)
    .send(Readable.from(csv))
}
