import { and, eq, lt, ne, sql } from 'drizzle-orm'
import type { Database, Executor, Transaction } from '#server/platform/database/pool.ts'
import { knownBrowsers as browsers } from '#server/platform/database/schema.ts'

/** Number of browsers remembered per account: the most recently used ones. */
const BROWSERS_KEPT = 20

export async function isKnown(db: Executor, tokenHash: string, accountId: string): Promise<boolean> {
  const found = await db.$count(
    browsers,
    and(eq(browsers.tokenHash, tokenHash), eq(browsers.accountId, accountId)),
  )
  return found > 0
}

/** The accounts that this browser is known to know it by its new token from now on. */
export async function renameBrowser(tx: Transaction, from: string, to: string): Promise<void> {
  await tx.update(browsers).set({ tokenHash: to }).where(eq(browsers.tokenHash, from))
}

export async function insertBrowser(tx: Transaction, tokenHash: string, accountId: string): Promise<void> {
  await tx
    .insert(browsers)
    .values({ tokenHash, accountId })
    .onConflictDoUpdate({ target: [browsers.tokenHash, browsers.accountId], set: { lastUsedAt: sql`now()` } })
  await tx.execute(sql`
    delete from known_browsers where account_id = ${accountId} and token_hash in (
      select token_hash from known_browsers where account_id = ${accountId} and token_hash <> ${tokenHash}
      order by last_used_at desc, token_hash offset ${BROWSERS_KEPT - 1}
    )`)
}

export async function deleteBrowsers(
  tx: Transaction,
  accountId: string,
  exceptHash: string | undefined,
): Promise<void> {
  const others = exceptHash === undefined ? undefined : ne(browsers.tokenHash, exceptHash)
  await tx.delete(browsers).where(and(eq(browsers.accountId, accountId), others))
}

/** A cookie lives no longer than 400 days. */
export async function deleteOldBrowsers(db: Database): Promise<void> {
  await db.delete(browsers).where(lt(browsers.lastUsedAt, sql`now() - interval '400 days'`))
}
