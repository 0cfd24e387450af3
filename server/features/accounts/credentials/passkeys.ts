import { and, asc, eq } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { type Attestation, type CreationOptions, MAX_PASSKEYS } from '#contract/passkeys.ts'
import type { Context } from '#server/context.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import { isUniqueViolation } from '#server/platform/database/errors.ts'
import type { Executor } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { passkeys } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { browserName } from '#words/browser-name.ts'
import { CHALLENGE_MS, createChallenge, takeChallenge } from './challenges.ts'
import type { GuardedCheck } from './known-browsers.ts'
import { type Account, lockOwner, type Person } from './owner.ts'
import { requirePassword } from './password.ts'
import { closeSocketsIfUnproven } from './second-factor.ts'
import { ALGORITHMS, relyingParty, userHandle, verifyAttestation } from './webauthn.ts'

export async function listPasskeys(db: Executor, person: Person) {
  return await db.select().from(passkeys).where(isOf(person)).orderBy(asc(passkeys.id))
}

/** The options for a new passkey, after a check of the password. */
export async function creationOptions(
  context: Context,
  person: Person,
  { password, guarded, reply }: { password: string; guarded: GuardedCheck; reply: FastifyReply },
): Promise<CreationOptions> {
  await requirePassword(context, guarded, person, password)
  const { db, site } = context
  const existing = await db.select().from(passkeys).where(isOf(person))
  refuseMoreThan(existing.length)
  return {
    challenge: await createChallenge(context, person, reply),
    timeout: CHALLENGE_MS,
    rp: { id: relyingParty(site).id, name: site.productName },
    user: {
      id: userHandle(person.id),
      // Browsers list the passkeys of both kinds of account together.
      name: person.kind === 'seller' ? person.username : `${person.username} (staff)`,
      displayName: person.username,
    },
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    excludeCredentials: existing.map(({ credentialId: id, transports }) => ({
      type: 'public-key',
      id,
      transports,
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  }
}

/** Adds what the browser made from the options. Tells sellers by email, and the audit log about staff. */
export async function addPasskey(
  context: Context,
  person: Person,
  { body, request, reply }: { body: Attestation; request: FastifyRequest; reply: FastifyReply },
) {
  const challenge = await takeChallenge(context, person, { request, reply })
  const made = await verifyAttestation(context, { response: body, challenge })
  if (!made) throw new Refusal('invalid', 'refusals.passkey_not_made')
  const { credential, credentialBackedUp } = made
  const row = {
    id: uuidv7(),
    ...(person.kind === 'seller' ? { userId: person.id } : { administratorId: person.id }),
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: body.response.transports ?? [],
    name: browserName(request.headers['user-agent'] ?? null, request.words),
    backedUp: credentialBackedUp,
  }
  try {
    return await transaction(context.db, async (tx) => {
      const { tell } = await lockOwner(tx, person)
      refuseMoreThan(await tx.$count(passkeys, isOf(person)))
      const added = onlyRow(await tx.insert(passkeys).values(row).returning())
      await tell({ kind: 'passkeyAdded', name: added.name })
      return added
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw new Refusal('taken', 'refusals.passkey_taken')
  }
}

/** Removes a passkey, after a check of the password. Throws `Refusal` if the person does not have it. */
export async function removePasskey(
  context: Context,
  person: Person,
  { id, password, guarded }: { id: string; password: string; guarded: GuardedCheck },
): Promise<void> {
  await requirePassword(context, guarded, person, password)
  await transaction(context.db, async (tx) => {
    const { tell } = await lockOwner(tx, person)
    const [removed] = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.id, id), isOf(person)))
      .returning()
    if (!removed) throw notFound()
    await tell({ kind: 'passkeyRemoved', name: removed.name })
    await closeSocketsIfUnproven(tx, context.site, person)
  })
}

function refuseMoreThan(count: number): void {
  if (count < MAX_PASSKEYS) return
  throw new Refusal('too_many_passkeys', 'refusals.too_many_passkeys', { params: { maximum: MAX_PASSKEYS } })
}

const isOf = ({ kind, id }: Account) => eq(kind === 'seller' ? passkeys.userId : passkeys.administratorId, id)
