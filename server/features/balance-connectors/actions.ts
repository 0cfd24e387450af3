import { asc, eq, getTableColumns, sql } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { BalanceConnectorAnswer, balanceConnectorForm } from '#contract/balance-connectors.ts'
import type { Context } from '#server/context.ts'
import { type AuditDetails, record } from '#server/features/audit/actions.ts'
import { allowedUrl } from '#server/features/webhooks/actions.ts'
import type { Staff } from '#server/http/actor.ts'
import { notFound } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { balanceConnectors, brands } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import type { KeyRing } from '#server/platform/vault/key-ring.ts'
import {
  makeSigningSecret,
  openSigningSecrets,
  previousSigns,
} from '#server/platform/webhooks/signing-secret.ts'

const secretRow = (id: string) => ({ table: 'balance_connectors', row: id })

export async function listConnectors({ db }: Context): Promise<BalanceConnectorAnswer[]> {
  return db.select().from(balanceConnectors).orderBy(asc(balanceConnectors.brand))
}

/**
 * Adds or changes the service of a brand. Throws `Refusal` if the host is unknown, or private and not allowed; each question checks
 * that again.
 *
 * @returns the secret only if the service was added
 */
export async function saveConnector(
  { db, keys, site, catalog }: Context,
  actor: Staff,
  brand: string,
  { url: typed, paused }: z.output<typeof balanceConnectorForm>,
): Promise<BalanceConnectorAnswer & { secret: string | null }> {
  const url = (await allowedUrl(typed, site, true)).href
  // An empty catalog gets the built-in brands.
  await catalog.current()
  return transaction(db, async (tx) => {
    // Locks the brand, so that two who add its first service get one secret.
    const [known] = await tx
      .select({ slug: brands.slug })
      .from(brands)
      .where(eq(brands.slug, brand))
      .for('update')
    if (!known) throw notFound()
    const changed = await tx
      .update(balanceConnectors)
      .set({ url, paused })
      .where(eq(balanceConnectors.brand, brand))
      .returning()
    await recordChange(tx, actor, changed[0] ? 'changed' : 'added', brand, {
      host: new URL(url).host,
      paused,
    })
    if (changed[0]) return { ...changed[0], secret: null }
    const id = uuidv7()
    const { secret, columns } = makeSigningSecret(keys, secretRow(id))
    const added = await tx
      .insert(balanceConnectors)
      .values({ id, brand, url, paused, ...columns })
      .returning()
    return { ...onlyRow(added), secret }
  })
}

/** Makes a new secret. The previous one signs too for a day. */
export async function rotateConnectorSecret(
  { db, keys }: Context,
  actor: Staff,
  brand: string,
): Promise<string> {
  return transaction(db, async (tx) => {
    const [before] = await selectConnector(tx, brand).for('update')
    if (!before) throw notFound()
    const { secret, columns } = makeSigningSecret(keys, secretRow(before.id), before)
    await tx
      .update(balanceConnectors)
      .set({ ...columns, rotatedAt: sql`now()` })
      .where(eq(balanceConnectors.brand, brand))
    await recordChange(tx, actor, 'secret_rotated', brand)
    return secret
  })
}

export async function deleteConnector({ db }: Context, actor: Staff, brand: string): Promise<void> {
  await transaction(db, async (tx) => {
    const [deleted] = await tx.delete(balanceConnectors).where(eq(balanceConnectors.brand, brand)).returning()
    if (!deleted) throw notFound()
    await recordChange(tx, actor, 'deleted', brand, { host: new URL(deleted.url).host })
  })
}

/** The service that is asked about cards of a brand. Undefined if there is none, or it is paused. */
export async function findConnector(
  db: Executor,
  keys: KeyRing,
  brand: string,
): Promise<{ url: URL; secrets: string[] } | undefined> {
  const [found] = await selectConnector(db, brand)
  if (!found || found.paused) return undefined
  return {
    url: new URL(found.url),
    secrets: openSigningSecrets(keys, secretRow(found.id), found, found.previousSigns),
  }
}

function selectConnector(db: Executor, brand: string) {
  return db
    .select({ ...getTableColumns(balanceConnectors), previousSigns })
    .from(balanceConnectors)
    .where(eq(balanceConnectors.brand, brand))
}

/** The log names only the host: paths often contain a secret. */
function recordChange(
  tx: Transaction,
  actor: Staff,
  what: 'added' | 'changed' | 'deleted' | 'secret_rotated',
  brand: string,
  details: AuditDetails = {},
): Promise<void> {
  return record(tx, {
    actor,
    action: `balance_connector.${what}`,
    subject: { kind: 'brand', id: brand },
    details,
  })
}
