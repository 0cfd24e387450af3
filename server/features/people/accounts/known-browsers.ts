import type { FastifyReply, FastifyRequest } from 'fastify'
import { NIL } from 'uuid'
import type { Context } from '#server/context.ts'
import type { Limits } from '#server/http/limits/limits.ts'
import type { Transaction } from '#server/platform/database/pool.ts'
import { blindIndex } from '#server/platform/vault/seal.ts'
import { cookieAttributes, cookieName, LONGEST_COOKIE_SECONDS } from '../sessions/cookies.ts'
import { hashToken, newToken } from '../sessions/token.ts'
import * as queries from './browser-queries.ts'

const COOKIE = 'unspent_browser'

/** Whose password is being tried: the account, if there is one, and the name that was typed. */
export interface Tried {
  readonly account: string | undefined
  readonly name: string
}

/** Looks at a password only while few wrong ones came before. Throws a 429 `Refusal` when it doesn't look. */
export type GuardedCheck = (tried: Tried, isRight: () => Promise<boolean>) => Promise<boolean>

/**
 * Keeps thieves from guessing without locking the owner out. Wrong passwords are counted for each account,
 * from wherever they come; and a browser in which its owner has signed in before, told by a cookie of its
 * own, has a count of its own. So a thousand guessing machines get a few tries between them, and the owner at
 * home does not notice. From a new browser meanwhile, a mailed link for a new password gets the owner in.
 * A name without an account is counted too: the answer doesn't tell the two apart.
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
    return async (tried, isRight) => {
      const [limit, counted] = await this.#budget(browser, tried)
      await this.#limits.count(limit, counted)
      const right = await isRight()
      // Only wrong ones are guesses.
      if (right) await this.#limits.giveBack(limit, counted)
      return right
    }
  }

  async #budget(browser: string | undefined, { account, name }: Tried) {
    const { db, keys } = this.#context
    // Asked for nobody too: an address without an account takes no less time.
    if (browser && (await queries.isKnown(db, browser, account ?? NIL))) {
      return ['knownBrowserGuess', `${browser} ${account}`] as const
    }
    const nobody = () => blindIndex(keys, 'sign_in_name', name.toLowerCase()).toString('base64url')
    return ['passwordGuess', account ?? nobody()] as const
  }

  /**
   * Makes the browser known to an account that it has just proved to own, under a new token: one that
   * somebody else put there, or copied, is worth nothing afterwards.
   * @returns the token, to be handed to the browser once the transaction is committed
   */
  async remember(tx: Transaction, account: string, request: FastifyRequest): Promise<string> {
    const [old, token] = [this.hashOf(request), newToken()]
    if (old) await queries.renameBrowser(tx, old, hashToken(token))
    await queries.insertBrowser(tx, hashToken(token), account)
    return token
  }

  handOver(token: string, reply: FastifyReply): void {
    const { site } = this.#context
    reply.setCookie(cookieName(site, COOKIE), token, {
      ...cookieAttributes(site),
      maxAge: LONGEST_COOKIE_SECONDS,
    })
  }

  /** What the table knows this browser by. */
  hashOf(request: FastifyRequest): string | undefined {
    const token = request.cookies[cookieName(this.#context.site, COOKIE)]
    return token ? hashToken(token) : undefined
  }
}

/** Forgets the browsers of an account, but for one. */
export function forgetBrowsers(
  tx: Transaction,
  account: string,
  { except }: { except?: string | undefined } = {},
): Promise<void> {
  return queries.deleteBrowsers(tx, account, except)
}
