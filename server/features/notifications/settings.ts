import { timingSafeEqual } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { NotificationSettings, notificationRoutes } from '#contract/notifications.ts'
import { type Channel, type NotificationKind, notificationKinds } from '#domain/notifications.ts'
import type { Context } from '#server/context.ts'
import { signedOut } from '#server/http/actor.ts'
import { invalid } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { keepAccount } from '#server/platform/database/queries.ts'
import { notificationSettings as settings } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import { blindIndex } from '#server/platform/vault/seal.ts'

/** What a seller may turn off. */
interface Setting {
  readonly userId: string
  readonly kind: NotificationKind
}

/** Whether the seller wants this kind by this channel. Jobs ask when they send, because the seller may have changed it. */
export async function wants(db: Executor, { userId, kind }: Setting, channel: Channel): Promise<boolean> {
  const [row] = await db
    .select({ on: settings[channel] })
    .from(settings)
    .where(and(eq(settings.userId, userId), eq(settings.kind, kind)))
  return row?.on ?? true
}

/** The seller's settings of every kind. */
export async function listSettings(db: Executor, userId: string): Promise<NotificationSettings> {
  const rows = await db.select().from(settings).where(eq(settings.userId, userId))
  const entries = notificationKinds.map((kind) => {
    const { mail = true, push = true } = rows.find((row) => row.kind === kind) ?? {}
    return [kind, { mail, push }]
  })
  return Object.fromEntries(entries)
}

type SettingsChange = z.output<typeof notificationRoutes.changeNotifications.body>

/**
 * Changes only what is given, so concurrent changes survive. Returns all settings. Throws a refusal if the account was deleted.
 */
export async function changeSettings(
  { db }: Pick<Context, 'db'>,
  userId: string,
  change: SettingsChange,
): Promise<NotificationSettings> {
  return transaction(db, async (tx) => {
    if (!(await storeSettings(tx, userId, change))) throw signedOut()
    return listSettings(tx, userId)
  })
}

/** Returns false if the account was deleted. */
async function storeSettings(tx: Transaction, userId: string, change: SettingsChange): Promise<boolean> {
  if (!(await keepAccount(tx, userId))) return false
  for (const kind of notificationKinds) {
    const given = Object.entries(change[kind] ?? {}).filter(([, on]) => on !== undefined)
    if (given.length === 0) continue
    const set = Object.fromEntries(given)
    await tx
      .insert(settings)
      .values({ userId, kind, ...set })
      .onConflictDoUpdate({ target: [settings.userId, settings.kind], set })
  }
  return true
}

/**
 * Turns off the mails of the link's kind, unless the account was deleted. Throws a refusal if the link is not one of ours.
 */
export async function stopMails({ db, keys }: Context, token: string): Promise<NotificationKind> {
  const link = readUnsubscribeToken(keys, token)
  if (!link) throw invalid([{ path: 'token', code: 'unsubscribe_link_broken' }])
  const { userId, kind } = link
  await transaction(db, (tx) => storeSettings(tx, userId, { [kind]: { mail: false } }))
  return kind
}

/** The token of the link: it needs no table, never expires, and works for this seller and kind only. */
export function unsubscribeToken(keys: KeyRing, setting: Setting): string {
  return `${setting.userId}.${setting.kind}.${signatureOf(keys, setting).toString('base64url')}`
}

/** Undefined if we did not make the token. */
function readUnsubscribeToken(keys: KeyRing, token: string): Setting | undefined {
  const [userId = '', name = '', signature = ''] = token.split('.')
  const kind = notificationKinds.find((known) => known === name)
  if (!kind) return undefined
  const [given, expected] = [Buffer.from(signature, 'base64url'), signatureOf(keys, { userId, kind })]
  const isOurs = given.length === expected.length && timingSafeEqual(given, expected)
  return isOurs ? { userId, kind } : undefined
}

function signatureOf(keys: KeyRing, { userId, kind }: Setting): Buffer {
  return blindIndex(keys, 'unsubscribe', `${userId}.${kind}`)
}
