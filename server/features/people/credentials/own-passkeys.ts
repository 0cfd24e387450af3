import { and, asc, eq } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { type Attestation, type CreationOptions, MAX_PASSKEYS } from '#contract/passkeys.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import type { Seller, Staff } from '#server/http/actor.ts'
import { notFound, Refusal } from '#server/http/refusal.ts'
import { isUniqueViolation } from '#server/platform/database/errors.ts'
import type { Executor, Transaction } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { administrators, passkeys } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { browserName } from '#words/browser-name.ts'
import { enqueueSecurityEmail, lockAccount } from '../sellers/account.ts'
import { requireSellerPassword } from '../sellers/password.ts'
import { closeSocketsIfUnproven } from '../staff/second-factor.ts'
import { requireOwnPassword } from '../staff/sign-in.ts'
import { CHALLENGE_MS, createChallenge, takeChallenge } from './challenges.ts'
import type { GuardedCheck } from './known-browsers.ts'
import { ALGORITHMS, relyingParty, userHandle, verifyAttestation } from './webauthn.ts'

type Person = Seller | Staff

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
      const tell = await lockPerson(tx, person)
      refuseMoreThan(await tx.$count(passkeys, isOf(person)))
      const added = onlyRow(await tx.insert(passkeys).values(row).returning())
      await tell('added', added.name)
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
    const tell = await lockPerson(tx, person)
    const [removed] = await tx
      .delete(passkeys)
      .where(and(eq(passkeys.id, id), isOf(person)))
      .returning()
    if (!removed) throw notFound()
    await tell('removed', removed.name)
    if (person.kind === 'staff') await closeSocketsIfUnproven(tx, context.site, person.id)
  })
}

async function requirePassword(
  context: Context,
  guarded: GuardedCheck,
  person: Person,
  password: string,
): Promise<void> {
  if (person.kind === 'seller') await requireSellerPassword(context, guarded, person, password)
  else await requireOwnPassword(context, guarded, person, password)
}

/** Locks the account, so that changes of its passkeys wait for each other. Returns the function that reports a change. */
async function lockPerson(tx: Transaction, person: Person) {
  if (person.kind === 'seller') {
    const user = await lockAccount(tx, person.id)
    return (change: 'added' | 'removed', name: string) =>
      enqueueSecurityEmail(tx, user, { kind: change === 'added' ? 'passkeyAdded' : 'passkeyRemoved', name })
  }
  await tx.select().from(administrators).where(eq(administrators.id, person.id)).for('update')
  return (change: 'added' | 'removed', name: string) =>
    record(tx, {
      actor: person,
      action: `admin.passkey_${change}`,
      subject: { kind: 'administrator', id: person.username },
      details: { passkey: name },
    })
}

function refuseMoreThan(count: number): void {
  if (count < MAX_PASSKEYS) return
  throw new Refusal('too_many_passkeys', 'refusals.too_many_passkeys', { params: { maximum: MAX_PASSKEYS } })
}

const isOf = ({ kind, id }: Pick<Person, 'kind' | 'id'>) =>
  eq(kind === 'seller' ? passkeys.userId : passkeys.administratorId, id)
