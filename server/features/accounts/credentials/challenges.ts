import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '#server/context.ts'
import { Refusal } from '#server/http/refusal.ts'
import type { Database } from '#server/platform/database/pool.ts'
import { passkeyChallenges as challenges } from '#server/platform/database/schema.ts'
import { cookieAttributes, cookieName, hashToken, newToken } from '../sessions/cookies.ts'

const COOKIE = 'unspent_passkey'

/** How long a person has to answer. */
const CHALLENGE_SECONDS = 5 * 60

/** The same for browsers, which stop asking then. */
export const CHALLENGE_MS = CHALLENGE_SECONDS * 1000

/** What a challenge is good for. */
export interface Purpose {
  readonly kind: 'seller' | 'staff'
  /** The session that adds a passkey. Undefined for signing in. */
  readonly sid?: string
}

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/**
 * Creates a challenge for this browser: only a request with its cookie can use it. A new one replaces the browser's last.
 * Any server process can check the answer.
 */
export async function createChallenge(
  { db, site }: Context,
  { kind, sid }: Purpose,
  reply: FastifyReply,
): Promise<string> {
  const challenge = newToken()
  const expiresAt = sql`now() + make_interval(secs => ${CHALLENGE_SECONDS})`
  await db.insert(challenges).values({ hash: hashToken(challenge), kind, sid: sid ?? null, expiresAt })
  reply.setCookie(cookieName(site, COOKIE), challenge, {
    ...cookieAttributes(site),
    maxAge: CHALLENGE_SECONDS,
  })
  reply.header('cache-control', 'no-store')
  return challenge
}

/** The challenge of this browser, which can never be used again. Throws `Refusal` if there is none for this purpose. */
export async function takeChallenge(
  { db, site }: Context,
  { kind, sid }: Purpose,
  { request, reply }: Exchange,
): Promise<string> {
  const name = cookieName(site, COOKIE)
  const challenge = request.cookies[name] ?? ''
  reply.clearCookie(name, cookieAttributes(site))
  const taken = await db
    .delete(challenges)
    .where(
      and(
        eq(challenges.hash, hashToken(challenge)),
        eq(challenges.kind, kind),
        sid === undefined ? isNull(challenges.sid) : eq(challenges.sid, sid),
        gt(challenges.expiresAt, sql`now()`),
      ),
    )
    .returning({ hash: challenges.hash })
  if (taken.length === 0) throw new Refusal('challenge_used', 'refusals.challenge_used')
  return challenge
}

export async function deleteExpiredChallenges(db: Database): Promise<void> {
  await db.delete(challenges).where(lt(challenges.expiresAt, sql`now()`))
}
