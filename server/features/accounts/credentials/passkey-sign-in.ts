import { and, eq, isNotNull, or, sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Assertion } from '#contract/passkeys.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { administrators, passkeys, users } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { CHALLENGE_MS, createChallenge, type Purpose, takeChallenge } from './challenges.ts'
import { relyingParty, userHandle, verifyAssertion } from './webauthn.ts'

type Kind = Purpose['kind']

/** A passkey that signed in, and its owner. */
interface UsedPasskey {
  readonly id: string
  readonly accountId: string
  readonly username: string
}

/** Names no account, so it reveals nothing: the browser offers every passkey that it has for this site. */
export async function signInOptions(context: Context, kind: Kind, reply: FastifyReply) {
  return {
    challenge: await createChallenge(context, { kind }, reply),
    rpId: relyingParty(context.site).id,
    timeout: CHALLENGE_MS,
    userVerification: 'required',
  } as const
}

/**
 * Checks what a passkey has signed. Throws `Refusal`, which does not say why. Refusals for staff are in the audit log;
 * `recordSignIn` records the success.
 */
export async function checkPasskey(
  context: Context,
  kind: Kind,
  { body, ...exchange }: { body: Assertion; request: FastifyRequest; reply: FastifyReply },
): Promise<UsedPasskey> {
  const challenge = await takeChallenge(context, { kind }, exchange)
  const passkey = await findPasskey(context, kind, body.id)
  if (!passkey) throw refused()
  const { id, accountId, username, publicKey, disabledAt } = passkey
  const used = await verifyAssertion(context, { id: body.id, publicKey, response: body, challenge })
  const refuse = async (reason?: string): Promise<never> => {
    if (kind === 'staff') await recordRefusal(context, username, reason)
    throw refused()
  }
  if (!used || body.response.userHandle !== userHandle(accountId) || disabledAt) return refuse()
  if (!(await saveUse(context, id, used))) {
    context.log.warn({ passkey: id, account: accountId }, 'refused a passkey: its counter went back')
    return refuse('the counter went back')
  }
  return { id, accountId, username }
}

const refused = () => new Refusal('invalid_credentials', 'refusals.passkey_refused')

async function findPasskey({ db }: Context, kind: Kind, credentialId: string) {
  const owner = kind === 'seller' ? passkeys.userId : passkeys.administratorId
  const [found] = await db
    .select({
      id: passkeys.id,
      publicKey: passkeys.publicKey,
      accountId: sql<string>`${owner}`,
      username: sql<string>`coalesce(${users.username}, ${administrators.username})`,
      disabledAt: administrators.disabledAt,
    })
    .from(passkeys)
    .leftJoin(users, eq(users.id, passkeys.userId))
    .leftJoin(administrators, eq(administrators.id, passkeys.administratorId))
    .where(and(eq(passkeys.credentialId, credentialId), isNotNull(owner)))
  return found && { ...found, publicKey: new Uint8Array(found.publicKey) }
}

/**
 * Returns false if the counter did not grow, because then somebody has copied the passkey. Authenticators that do not
 * count always send 0.
 */
async function saveUse(
  { db }: Context,
  id: string,
  { counter, backedUp }: { counter: number; backedUp: boolean },
): Promise<boolean> {
  const grows = or(sql`${passkeys.counter} < ${counter}`, sql`${passkeys.counter} = 0 and ${counter} = 0`)
  const saved = await db
    .update(passkeys)
    .set({ counter, backedUp, lastUsedAt: sql`now()` })
    .where(and(eq(passkeys.id, id), grows))
    .returning({ id: passkeys.id })
  return saved.length > 0
}

async function recordRefusal({ db }: Context, username: string, reason?: string): Promise<void> {
  await transaction(db, (tx) =>
    record(tx, {
      actor: { kind: 'visitor' },
      action: 'admin.sign_in_refused',
      subject: { kind: 'administrator', id: username },
      details: { with: 'a passkey', ...(reason && { reason }) },
    }),
  )
}

/** Throws `Refusal` if the passkey was removed after it was checked. */
export async function confirmPasskey(tx: Transaction, { id }: UsedPasskey): Promise<void> {
  if ((await tx.$count(passkeys, eq(passkeys.id, id))) === 0) throw refused()
}
