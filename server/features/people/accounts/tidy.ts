import type { Database } from '#server/platform/database/pool.ts'
import { deleteOldBrowsers } from './browser-queries.ts'
import { deleteOldTokens } from './token-queries.ts'

/** Removes what has run out: mailed links, browsers that nobody uses. */
export async function tidyAccounts(db: Database): Promise<void> {
  await deleteOldTokens(db)
  await deleteOldBrowsers(db)
}
