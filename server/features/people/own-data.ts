import { desc, eq } from 'drizzle-orm'
import { user } from '#contract/accounts.ts'
import type { Context } from '#server/context.ts'
import type { Seller } from '#server/http/actor.ts'
import { jsonEntry, type ZipEntry } from '#server/http/zip.ts'
import { reviews } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { enqueueSecurityEmail, lockAccount, ownAccount } from './sellers/account.ts'
import { listPaymentMethods } from './sellers/payment-methods.ts'
import { listOwnSessions } from './sessions/seller-sessions.ts'

/** The account as its owner sees it. */
export async function* exportAccount(context: Context, seller: Seller): AsyncGenerator<ZipEntry> {
  const { db, words } = context
  yield jsonEntry('profile.json', user.parse(await ownAccount(context, seller.id)))
  yield jsonEntry('payment-methods.json', await listPaymentMethods(context, seller, words[seller.locale]))
  yield jsonEntry('sessions.json', await listOwnSessions(db, seller))
  const { transactionId, rating, comment, createdAt } = reviews
  const written = db
    .select({ transactionId, rating, comment, createdAt })
    .from(reviews)
    .where(eq(reviews.reviewerId, seller.id))
  yield jsonEntry('reviews.json', await written.orderBy(desc(reviews.id)))
}

/** Emails the owner that somebody downloads everything: a stranger may use their session. */
export async function announceDownload({ db }: Pick<Context, 'db'>, { id }: Seller): Promise<void> {
  await transaction(db, async (tx) =>
    enqueueSecurityEmail(tx, await lockAccount(tx, id), { kind: 'dataDownloaded' }),
  )
}
