import { and, eq } from 'drizzle-orm'
import type { NotificationSettings } from '#contract/notifications.ts'
import { type Channel, type NotificationKind, notificationKinds } from '#domain/notifications.ts'
import type { Context } from '#server/context.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { notificationSettings as settings } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'

/** Whether the seller wants this kind by this channel. Jobs ask when they send, because the seller may have changed it. */
export async function wants(
  db: Executor,
  userId: string,
  kind: NotificationKind,
  channel: Channel,
): Promise<boolean> {
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

/** What to change, by kind and channel. */
export type SettingsChange = {
  readonly [Kind in NotificationKind]?: { readonly [C in Channel]?: boolean | undefined } | undefined
}

/** Changes only what is given, so that changes at the same time survive. Returns all settings. */
export async function changeSettings(
  { db }: Pick<Context, 'db'>,
  userId: string,
  change: SettingsChange,
): Promise<NotificationSettings> {
  return transaction(db, async (tx) => {
    for (const kind of notificationKinds) {
      const given = Object.entries(change[kind] ?? {}).filter(([, on]) => on !== undefined)
      if (given.length === 0) continue
      const set = Object.fromEntries(given)
      await tx
        .insert(settings)
        .values({ userId, kind, ...set })
        .onConflictDoUpdate({ target: [settings.userId, settings.kind], set })
    }
    return listSettings(tx, userId)
  })
}
