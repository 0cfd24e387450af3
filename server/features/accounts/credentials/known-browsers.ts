import { and, eq, lt, ne, sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { NIL } from 'uuid'
import type { Context } from '#server/context.ts'
import type { Limits } from '#server/http/limits/limits.ts'
import type { Database, Executor, Transaction } from '#server/platform/database/pool.ts'
import { knownBrowsers as browsers } from '#server/platform/database/schema.ts'
import { blindIndex } from '#server/platform/vault/seal.ts'
import { cookieAttributes, cookieName, hashToken, MAX_COOKIE_SECONDS, newToken } from '../sessions/cookies.ts'

const COOKIE = 'unspent_browser'

/** Known browsers per account; the least recently used are forgotten. */
const MAX_BROWSERS = 20

/** The account a password is tried for, if it exists, and the name that was typed. */
export interface Attempt {
  readonly account: string | undefined
  readonly name: string
}

/** Checks a password unless there were too many wrong ones, which throws a 429 `Refusal`. */
export type GuardedCheck = (attempt: Attempt, isRight: () => Promise<boolean>) => Promise<boolean>

/**
 * Stops password guessing without locking the owner out. Wrong passwords are counted per account, from any address. A
 * browser in which the owner has signed in before has a separate count, so a guesser elsewhere does not lock it.
 * Names without an account are counted the same way, so the answer does not reveal which accounts exist.
 */
export class KnownBrowsers {
  readonly #context: Context
  readonly #limits: Limits

  constructor(context: Context, limits: Limits) {
    this.#context = context
    this.#limits = limits
  }

  /** The check for one request. */
  guard(request: FastifyRequest): GuardedCheck {
    const browser = this.hashOf(request)
    return async (attempt, isRight) => {
      const [limit, key] = await this.#bucketOf(browser, attempt)
      await this.#limits.count(limit, key)
      const right = await isRight()
      // Only wrong passwords count.
      if (right) await this.#limits.giveBack(limit, key)
      return right
    }
  }

  async #bucketOf(browser: string | undefined, { account, name }: Attempt) {
    const { db, keys } = this.#context
    // Also looked up without an account, so that it takes as long.
    if (browser && (await isKnown(db, browser, account ?? NIL))) {
      return ['knownBrowserGuess', `${browser} ${account}`] as const
    }
    const nameKey = () => blindIndex(keys, 'sign_in_name', name.toLowerCase()).toString('base64url')
    return ['passwordGuess', account ?? nameKey()] as const
  }

  /**
   * Remembers the browser for an account that it has just signed in to. It gets a new token, so a token that someone
   * copied or planted is worthless. Returns the token, to set as a cookie after the commit.
   */
  async remember(tx: Transaction, account: string, request: FastifyRequest): Promise<string> {
    const [old, token] = [this.hashOf(request), newToken()]
    if (old)
      await tx
        .update(browsers)
        .set({ tokenHash: hashToken(token) })
        .where(eq(browsers.tokenHash, old))
    await insertBrowser(tx, hashToken(token), account)
    return token
  }

  setCookie(token: string, reply: FastifyReply): void {
    const { site } = this.#context
    reply.setCookie(cookieName(site, COOKIE), token, {
      ...cookieAttributes(site),
      maxAge: MAX_COOKIE_SECONDS,
    })
  }

  /** The hash of the browser's token, as stored in the table. */
  hashOf(request: FastifyRequest): string | undefined {
    const token = request.cookies[cookieName(this.#context.site, COOKIE)]
    return token ? hashToken(token) : undefined
  }
}

async function isKnown(db: Executor, tokenHash: string, accountId: string): Promise<boolean> {
  const found = await db.$count(
    browsers,
    and(eq(browsers.tokenHash, tokenHash), eq(browsers.accountId, accountId)),
  )
  return found > 0
}

async function insertBrowser(tx: Transaction, tokenHash: string, accountId: string): Promise<void> {
  await tx
    .insert(browsers)
    .values({ tokenHash, accountId })
    .onConflictDoUpdate({ target: [browsers.tokenHash, browsers.accountId], set: { lastUsedAt: sql`now()` } })
  await tx.execute(sql`
    delete from known_browsers where account_id = ${accountId} and token_hash in (
      select token_hash from known_browsers where account_id = ${accountId} and token_hash <> ${tokenHash}
      order by last_used_at desc, token_hash offset ${MAX_BROWSERS - 1}
    )`)
}

/** Forgets the browsers of an account. */
export async function forgetBrowsers(
  tx: Transaction,
  accountId: string,
  { except }: { except?: string | undefined } = {},
): Promise<void> {
  const others = except === undefined ? undefined : ne(browsers.tokenHash, except)
  await tx.delete(browsers).where(and(eq(browsers.accountId, accountId), others))
}

/** Deletes browsers whose cookie has expired. */
export async function deleteOldBrowsers(db: Database): Promise<void> {
  await db.delete(browsers).where(lt(browsers.lastUsedAt, sql`now() - interval '400 days'`))
}
