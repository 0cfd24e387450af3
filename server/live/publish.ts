import { type SQL, sql } from 'drizzle-orm'
import type { LiveMessage } from '#contract/live.ts'
import type { Transaction } from '#server/database/pool.ts'

/** The channel on which the processes tell each other what to push. */
export const LIVE_CHANNEL = 'unspent_live'

/** Whom a message is for; decided here, on the server, and nowhere else. */
export type Audience =
  | 'staff'
  /** A seller. */
  | { readonly userId: string }
  /** The visitor of a contact thread. */
  | { readonly sessionId: string }

export interface Delivery {
  readonly to: Audience
  readonly message: LiveMessage
}

/** What travels between the processes. */
export type LiveEvent =
  | { readonly deliver: readonly Delivery[] }
  /** Sessions that have ended: their sockets end too. */
  | { readonly end: readonly string[] }

/** Pushes messages when (and only if) the transaction commits. */
export async function publish(tx: Transaction, deliver: readonly Delivery[]): Promise<void> {
  await tx.execute(sql`select ${publishing(deliver)}`)
}

/** The same as a call, to be sent together with other changes. */
export function publishing(deliver: readonly Delivery[]): SQL {
  return notification({ deliver })
}

/** PostgreSQL carries at most 8000 bytes in one notification. */
const SIDS_AT_ONCE = 100

/** Ends the open sockets of sessions when the transaction commits. */
export async function endSockets(tx: Transaction, sids: readonly string[]): Promise<void> {
  for (let from = 0; from < sids.length; from += SIDS_AT_ONCE) {
    const end = sids.slice(from, from + SIDS_AT_ONCE)
    await tx.execute(sql`select ${notification({ end })}`)
  }
}

function notification(event: LiveEvent): SQL {
  return sql`pg_notify(${LIVE_CHANNEL}, ${JSON.stringify(event)})`
}
