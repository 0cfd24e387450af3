import type { LiveMessage } from '#contract/live.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { notify } from '#server/platform/database/queries.ts'

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
  await notify(tx, LIVE_CHANNEL, written({ deliver }))
}

/** As many as one notification carries. */
const SIDS_AT_ONCE = 100

/** Ends the open sockets of sessions when the transaction commits. */
export async function endSockets(tx: Transaction, sids: readonly string[]): Promise<void> {
  for (let from = 0; from < sids.length; from += SIDS_AT_ONCE) {
    const end = sids.slice(from, from + SIDS_AT_ONCE)
    await notify(tx, LIVE_CHANNEL, written({ end }))
  }
}

function written(event: LiveEvent): string {
  return JSON.stringify(event)
}
