import { eq } from 'drizzle-orm'
import type { Context } from '#server/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { passkeys, sessions } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { endSockets } from '#server/platform/live/publish.ts'
import type { CodeResult } from '../credentials/codes.ts'
import { codeRefusal, isOn, passSecondFactor, removeApp } from '../credentials/second-factor.ts'

/** The result of the second step. A passkey is needed if the password alone is not enough and no app is set up. */
type StepResult = CodeResult | 'missing' | 'passkey needed'

/**
 * The second step of an administrator's sign-in, after the password.
 * @returns `missing` if a code is needed; undefined if the second factor is off
 */
export async function passStaffSecondFactor(
  context: Context,
  administratorId: string,
  code: string | undefined,
): Promise<StepResult | undefined> {
  const { db, site } = context
  const result = await transaction(db, (tx) => passSecondFactor(tx, context, administratorId, code))
  if (result === undefined && site.requireTotp && (await hasPasskey(db, administratorId)))
    return 'passkey needed'
  return result
}

/** The refusal for a right password without a right code. */
export function staffCodeRefusal(result: Exclude<StepResult, 'code' | 'recovery code'>): Refusal {
  if (result === 'passkey needed') return new Refusal('passkey_required', 'refusals.passkey_required')
  return codeRefusal(result)
}

/** With REQUIRE_TOTP, administrators without a second factor stay signed in but get no live messages. */
export async function closeSocketsIfUnproven(
  tx: Transaction,
  { requireTotp }: Context['site'],
  administratorId: string,
): Promise<void> {
  if (!requireTotp || (await isOn(tx, administratorId)) || (await hasPasskey(tx, administratorId))) return
  const found = await tx
    .select({ sid: sessions.sid })
    .from(sessions)
    .where(eq(sessions.administratorId, administratorId))
  await endSockets(
    tx,
    found.map(({ sid }) => sid),
  )
}

/** Removes the authenticator app and the passkeys. Returns false if there was neither. */
export async function removeSecondFactors(tx: Transaction, administratorId: string): Promise<boolean> {
  const hadApp = await removeApp(tx, administratorId)
  const removed = await tx
    .delete(passkeys)
    .where(eq(passkeys.administratorId, administratorId))
    .returning({ id: passkeys.id })
  return hadApp || removed.length > 0
}

async function hasPasskey(db: Executor, administratorId: string): Promise<boolean> {
  return (await db.$count(passkeys, eq(passkeys.administratorId, administratorId))) > 0
}
