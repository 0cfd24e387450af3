import { and, desc, eq, inArray, ne, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import { ownSession, user } from '#contract/accounts.ts'
import { passkey } from '#contract/passkeys.ts'
import { taxDetails } from '#contract/tax-details.ts'
import type { Context } from '#server/context.ts'
import { readTaxDetails } from '#server/features/books/tax-details.ts'
import type { Seller } from '#server/http/actor.ts'
import { jsonEntry, type ZipEntry } from '#server/http/zip.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { accountTokens, reviews, users } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { emailOfDeleted } from '#server/platform/mail/letter.ts'
import { listPasskeys } from './credentials/passkeys.ts'
import { readSecondFactor } from './credentials/second-factor.ts'
import { enqueueSecurityEmail, lockAccount, ownAccount, type UserRow, updateUser } from './sellers/account.ts'
import { endSessions, listOwnSessions } from './sessions/own-sessions.ts'
import { SELLER_IDLE_SECONDS } from './sessions/sessions.ts'

/** The account as its owner sees it. */
export async function* exportAccount(context: Context, seller: Seller): AsyncGenerator<ZipEntry> {
  const { db } = context
  yield jsonEntry('profile.json', z.encode(user, await ownAccount(context, seller.id)))
  yield jsonEntry('tax-details.json', z.encode(taxDetails, await readTaxDetails(context, seller)))
  const sessions = await listOwnSessions(db, seller, SELLER_IDLE_SECONDS)
  yield jsonEntry('sessions.json', z.encode(z.array(ownSession), sessions))
  yield jsonEntry('passkeys.json', z.encode(z.array(passkey), await listPasskeys(db, seller)))
  yield jsonEntry('second-factor.json', await readSecondFactor(db, seller.id))
  const { transactionId, rating, comment, firstName, state, createdAt } = reviews
  const written = db
    .select({ transactionId, rating, comment, firstName, state, createdAt })
    .from(reviews)
    .where(eq(reviews.reviewerId, seller.id))
  yield jsonEntry('reviews.json', await written.orderBy(desc(reviews.id)))
}

/** Emails the owner that somebody has downloaded everything: a stranger may be using their session. */
export async function announceDownload({ db }: Pick<Context, 'db'>, { id }: Seller): Promise<void> {
  await transaction(db, async (tx) =>
    enqueueSecurityEmail(tx, await lockAccount(tx, id), { kind: 'dataDownloaded' }),
  )
}

export type { KnownBrowsers } from './credentials/known-browsers.ts'
export { requirePassword, wrongPassword } from './credentials/password.ts'

/** Every address that emails of the account were sent to, without those that another account has now. */
export async function listAddresses(
  tx: Transaction,
  { id, email, previousEmail }: UserRow,
): Promise<string[]> {
  const links = await tx
    .selectDistinct({ email: accountTokens.email })
    .from(accountTokens)
    .where(eq(accountTokens.userId, id))
  const all = [email, ...(previousEmail ? [previousEmail] : []), ...links.map((link) => link.email)]
  const own = [...new Set(all.map((address) => address.toLowerCase()))]
  const others = await tx
    .select({ email: users.email, previousEmail: users.previousEmail })
    .from(users)
    .where(
      and(
        ne(users.id, id),
        or(inArray(sql`lower(${users.email})`, own), inArray(sql`lower(${users.previousEmail})`, own)),
      ),
    )
  const taken = new Set(
    others.flatMap((user) => [user.email, user.previousEmail ?? ''].map((one) => one.toLowerCase())),
  )
  return own.filter((address) => !taken.has(address))
}

/** Removes everything that identifies the seller, ends all sessions and sockets, and deletes what only served the account. */
export async function anonymizeAccount(tx: Transaction, id: string, passwordHash: string): Promise<void> {
  await endSessions(tx, { kind: 'seller', id })
  await updateUser(tx, id, { ...erasedUser(id), passwordHash, deletedAt: sql`now()` as unknown as Date })
  await tx.update(reviews).set({ comment: null, firstName: null }).where(eq(reviews.reviewerId, id))
}

const erasedUser = (id: string) => ({
  // Nobody can register a name with spaces.
  username: `deleted seller ${id.slice(-12)}`,
  email: emailOfDeleted(id),
  firstName: '',
  lastName: '',
  phoneNumber: null,
  verified: false,
  previousEmail: null,
  previousEmailVerified: false,
  confirmationWaived: false,
  bounce: null,
  lastVisit: null,
})
