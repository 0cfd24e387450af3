import { and, asc, eq, getTableColumns, gt, isNull, lt, or, sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import type { z } from 'zod'
import type { ApiTokenAnswer, apiTokenForm } from '#contract/api-tokens.ts'
import { isCapability } from '#domain/roles.ts'
import type { Context } from '#server/context.ts'
import { record } from '#server/features/audit/actions.ts'
import type { FindActor, Seller, Staff } from '#server/http/actor.ts'
import { notFound, Refusal, refusedFields } from '#server/http/refusal.ts'
import { isUniqueViolation } from '#server/platform/database/errors.ts'
import type { Database, Executor } from '#server/platform/database/pool.ts'
import { onlyRow } from '#server/platform/database/queries.ts'
import { administrators, apiTokens } from '#server/platform/database/schema.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { hashToken, newToken } from '../sessions/cookies.ts'
import type { Sessions } from '../sessions/sessions.ts'
import { lockOwnersWith } from './accounts.ts'

/** Secret scanners find leaked tokens by it. */
const PREFIX = 'unspent_'

/** By name, expired ones included. */
export function listApiTokens({ db }: Context): Promise<ApiTokenAnswer[]> {
  return selectTokens(db).orderBy(asc(sql`lower(${apiTokens.name})`))
}

/** Creates a token. Its secret is in no other answer, and the database has only the hash. */
export async function createApiToken(
  { db }: Context,
  actor: Staff,
  { name, role, days }: z.output<typeof apiTokenForm>,
): Promise<ApiTokenAnswer & { token: string }> {
  const [id, token] = [uuidv7(), PREFIX + newToken()]
  try {
    return await transaction(db, async (tx) => {
      // An owner who is demoted at the same time keeps no token.
      await lockOwnersWith(tx, actor)
      const expiresAt = sql`now() + make_interval(days => ${days})`
      const tokenHash = hashToken(token)
      await tx.insert(apiTokens).values({ id, name, role, expiresAt, tokenHash, createdBy: actor.id })
      const subject = { kind: 'token', id: name } as const
      await record(tx, { actor, action: 'token.created', subject, details: { role, days } })
      return { ...onlyRow(await selectTokens(tx).where(eq(apiTokens.id, id))), token }
    })
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    throw refusedFields('taken', [{ path: 'name', code: 'token_name_taken' }])
  }
}

export async function revokeApiToken({ db }: Context, actor: Staff, id: string): Promise<void> {
  await transaction(db, async (tx) => {
    const [revoked] = await tx.delete(apiTokens).where(eq(apiTokens.id, id)).returning()
    if (!revoked) throw notFound()
    await record(tx, { actor, action: 'token.revoked', subject: { kind: 'token', id: revoked.name } })
  })
}

function selectTokens(db: Executor) {
  const { tokenHash: _hash, ...columns } = getTableColumns(apiTokens)
  return db
    .select({ ...columns, createdBy: administrators.username })
    .from(apiTokens)
    .innerJoin(administrators, eq(administrators.id, apiTokens.createdBy))
}

/** The API token of a call of a staff route. Other routes ignore it, and a bearer token without the prefix is a proxy's. */
export function bearerToken({ headers, routeOptions }: FastifyRequest): string | undefined {
  if (!isCapability(routeOptions.config.contract?.access ?? '')) return undefined
  const bearer = /^bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  return bearer?.startsWith(PREFIX) ? bearer : undefined
}

/** Finds staff by the API token of a call, or else people by their sessions. */
export class TokenBearers implements FindActor {
  readonly #context: Context
  readonly #sessions: Sessions
  readonly #lookup: ReturnType<typeof prepareLookup>

  constructor(context: Context, sessions: Sessions) {
    this.#context = context
    this.#sessions = sessions
    this.#lookup = prepareLookup(context.db)
  }

  seller(request: FastifyRequest): Promise<Seller | undefined> {
    return this.#sessions.seller(request)
  }

  async staff(request: FastifyRequest): Promise<Staff | undefined> {
    const token = bearerToken(request)
    if (token === undefined) return this.#sessions.staff(request)
    const hash = hashToken(token)
    const found = await this.#sessions.recognize(hash, request, async () => {
      return (await this.#lookup.execute({ hash }))[0]
    })
    if (!found) throw new Refusal('token_invalid', 'refusals.token_invalid')
    if (found.isUseOld) this.#recordUse(found.id)
    return {
      kind: 'staff',
      id: found.createdBy,
      tokenId: found.id,
      username: `token: ${found.name}`,
      role: found.role,
      needsSecondFactor: false,
      sid: hash,
    }
  }

  /** At most once a minute. The call does not wait for it. */
  #recordUse(id: string): void {
    const { db, log } = this.#context
    db.update(apiTokens)
      .set({ lastUsedAt: sql`now()` })
      .where(and(eq(apiTokens.id, id), isUseOld))
      .catch((err) => log.warn({ err }, 'cannot record the use of an API token'))
  }
}

const isUseOld = or(isNull(apiTokens.lastUsedAt), lt(apiTokens.lastUsedAt, sql`now() - interval '1 minute'`))

/** Prepared, because it runs with every call. */
function prepareLookup(db: Database) {
  const { id, name, role, createdBy, tokenHash, expiresAt } = apiTokens
  return db
    .select({ id, name, role, createdBy, isUseOld: sql<boolean>`${isUseOld}` })
    .from(apiTokens)
    .where(and(eq(tokenHash, sql.placeholder('hash')), gt(expiresAt, sql`now()`)))
    .prepare('find_api_token')
}
