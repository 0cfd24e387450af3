import { releaseClaimsOf } from '#server/features/claims/actions.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { endSockets } from '#server/platform/live/publish.ts'
import * as queries from './queries.ts'
import { revokeLink } from './sign-in-link.ts'

/**
 * Signs a seller out everywhere, their open sockets included, or everywhere but in one session.
 * @returns how many sessions ended
 */
export async function endSellerSessions(
  tx: Transaction,
  userId: string,
  { except }: { except?: string } = {},
): Promise<number> {
  const ended = await queries.deleteSellerSessions(tx, userId, except)
  await endSockets(tx, ended)
  return ended.length
}

/** Signs an administrator out everywhere: open sockets end, claims are released, a sign-in link stops working. */
export async function endStaffSessions(tx: Transaction, administratorId: string): Promise<void> {
  await endSockets(tx, await queries.deleteStaffSessions(tx, administratorId))
  await releaseClaimsOf(tx, administratorId)
  await revokeLink(tx, administratorId)
}
