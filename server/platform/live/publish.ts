import type { LiveMessage } from '#contract/live.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { notify } from '#server/platform/database/queries.ts'

/** The NOTIFY channel on which processes share what to push. */
export const LIVE_CHANNEL = 'unspent_live'

/** Who gets a message. Only the server decides this. */
export type Audience =
  | 'staff'
  /** Staff who may chat: these messages quote what customers write. */
  | 'chat staff'
  /** A seller. */
  | { readonly userId: string }
  /** The visitor of a contact thread, by the key that they use. */
  | { readonly sessionId: string }

export interface Delivery {
  readonly to: Audience
  readonly message: LiveMessage
}

/** A notification between processes. */
export type LiveEvent =
  | { readonly deliver: readonly Delivery[] }
  /** Sessions and keys of contact threads that have ended, whose sockets must close. */
  | { readonly end: readonly string[] }

/** Pushes messages when (and only if) the transaction commits. */
export async function publish(tx: Transaction, deliver: readonly Delivery[]): Promise<void> {
  await notify(tx, LIVE_CHANNEL, JSON.stringify({ deliver } satisfies LiveEvent))
}

/** Messages in one notification of PostgreSQL, which holds 8,000 bytes. */
const MESSAGES_AT_ONCE = 35

/** Pushes any number of messages when the transaction commits. Each may have 200 bytes. */
export async function publishMany(tx: Transaction, deliver: readonly Delivery[]): Promise<void> {
  for (let from = 0; from < deliver.length; from += MESSAGES_AT_ONCE) {
    await publish(tx, deliver.slice(from, from + MESSAGES_AT_ONCE))
  }
}

/** The most that fit into one notification of 8,000 bytes. */
const SIDS_AT_ONCE = 100

/** Closes the open sockets of sessions, or of keys of contact threads, when the transaction commits. */
export async function endSockets(tx: Transaction, sids: readonly string[]): Promise<void> {
  for (let from = 0; from < sids.length; from += SIDS_AT_ONCE) {
    const end = sids.slice(from, from + SIDS_AT_ONCE)
    await notify(tx, LIVE_CHANNEL, JSON.stringify({ end } satisfies LiveEvent))
  }
}
