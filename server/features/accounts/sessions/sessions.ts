import type { FastifyReply, FastifyRequest } from 'fastify'
import { SIGNED_IN_COOKIE, UNATTENDED_HEADER } from '#contract/accounts.ts'
import type { Context } from '#server/context.ts'
import { releaseClaimsOf } from '#server/features/claims/actions.ts'
import type { FindActor, Seller, Staff } from '#server/http/actor.ts'
import type { Limits } from '#server/http/limits/limits.ts'
import { networkOf } from '#server/http/limits/network.ts'
import type { Site } from '#server/platform/config/site.ts'
import type { Database, Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { endSockets } from '#server/platform/live/publish.ts'
import type { Locale } from '#words/locales.ts'
import type { KnownBrowsers } from '../credentials/known-browsers.ts'
import { cookieAttributes, cookieName, hashToken, MAX_COOKIE_SECONDS, newToken } from './cookies.ts'
import * as queries from './queries.ts'

type SessionKind = 'seller' | 'staff'

interface SessionRule {
  readonly cookie: string
  /** How long an unused session lasts. The database decides, not the cookie. */
  readonly idleSeconds: number
  /** How long a session lasts even if it is used. */
  readonly maxSeconds?: number
  /** A session in use is extended once it would gain this much. */
  readonly extendAfterSeconds: number
  /** How long the browser keeps the cookie. Undefined: until it is closed. */
  readonly cookieSeconds?: number
}

/** Sellers stay signed in, as on their phones. */
const seller: SessionRule = {
  cookie: 'unspent_session',
  idleSeconds: 30 * 24 * 3600,
  extendAfterSeconds: 300,
  cookieSeconds: MAX_COOKIE_SECONDS,
}

export const SELLER_IDLE_SECONDS = seller.idleSeconds

/** How long administrators stay signed in. */
export interface StaffSessions {
  readonly hours: number
  readonly idleMinutes: number
}

const STAFF_COOKIE = 'unspent_staff'

/** Staff handle cash, so they sign in every day and after each break. */
function staffRule({ hours, idleMinutes }: StaffSessions): SessionRule {
  return {
    cookie: STAFF_COOKIE,
    idleSeconds: idleMinutes * 60,
    maxSeconds: hours * 3600,
    extendAfterSeconds: Math.min(60, idleMinutes * 6),
  }
}

/** The name of the session cookie on this site. */
export function sessionCookie(site: Site, kind: SessionKind): string {
  return cookieName(site, kind === 'seller' ? seller.cookie : STAFF_COOKIE)
}

/** Maximum number of session IDs remembered as valid; the oldest is dropped first. */
const MAX_SEEN = 10_000

/** What signing in takes, for sellers and staff. */
export interface SignInTools {
  readonly sessions: Sessions
  readonly browsers: KnownBrowsers
  readonly limits: Limits
}

/** Sessions of sellers and staff. The cookie has a random token, the database its hash. */
export class Sessions implements FindActor {
  readonly #context: Context
  readonly #limits: Limits
  readonly #browsers: KnownBrowsers
  /** Sessions seen before. They keep working when their network exhausts its limit with invented sessions. */
  readonly #seen = new Set<string>()
  readonly #rules: Readonly<Record<SessionKind, SessionRule>>
  readonly #lookups: ReturnType<typeof queries.prepareLookups>

  constructor(
    context: Context,
    limits: Limits,
    browsers: KnownBrowsers,
    staff: StaffSessions = { hours: 12, idleMinutes: 30 },
  ) {
    this.#context = context
    this.#limits = limits
    this.#browsers = browsers
    this.#rules = { seller, staff: staffRule(staff) }
    const { idleSeconds } = this.#rules.staff
    this.#lookups = queries.prepareLookups(context.db, { seller: seller.idleSeconds, staff: idleSeconds })
  }

  /**
   * Signs someone in with a new token, ends the browser's current session, and remembers the browser.
   * @param within runs in the same transaction with the account locked; if it throws, no session starts
   * @param trusted the sign-in provider has checked a second factor, so this session needs none
   */
  async start(
    kind: SessionKind,
    id: string,
    request: FastifyRequest,
    reply: FastifyReply,
    within?: (tx: Transaction) => Promise<void>,
    { trusted = false } = {},
  ): Promise<void> {
    const token = newToken()
    const { cookie, idleSeconds, maxSeconds, cookieSeconds } = this.#rules[kind]
    const session = {
      sid: hashToken(token),
      ...(kind === 'seller' ? { userId: id } : { administratorId: id }),
      sess: { createdAt: new Date().toISOString(), ...userAgentOf(request), ...(trusted && { trusted }) },
    }
    const { browser, locale } = await transaction(this.#context.db, async (tx) => {
      // Locks the account's row: a change that ends its sessions waits, and then ends this one too.
      await queries.insertSession(tx, session, { idle: idleSeconds, max: maxSeconds })
      const locale = kind === 'seller' ? await queries.updateLastVisit(tx, id) : undefined
      // After the account is locked, in the same order as such a change, to prevent a deadlock.
      await this.#endCurrent(tx, kind, request)
      await within?.(tx)
      return { browser: await this.#browsers.remember(tx, id, request), locale }
    })
    this.#remember(session.sid)
    reply.setCookie(this.#name(cookie), token, {
      ...this.#attributes(),
      ...(cookieSeconds && { maxAge: cookieSeconds }),
    })
    this.#browsers.setCookie(browser, reply)
    if (kind === 'seller') this.#hint(reply, locale)
    reply.header('cache-control', 'no-store')
  }

  /** Signs this browser out and closes its sockets. */
  async end(kind: SessionKind, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await transaction(this.#context.db, (tx) => this.#endCurrent(tx, kind, request))
    reply.clearCookie(this.#name(this.#rules[kind].cookie), this.#attributes())
    if (kind === 'seller') reply.clearCookie(SIGNED_IN_COOKIE, this.#hintAttributes())
    reply.header('cache-control', 'no-store')
  }

  /** Sends the cookie that scripts can read again if a browser with a session lacks it, such as one from before it existed. */
  hintAgain({ cookies }: FastifyRequest, reply: FastifyReply): void {
    if (cookies[this.#name(seller.cookie)] && !cookies[SIGNED_IN_COOKIE]) this.#hint(reply)
  }

  /** Sends the language of the account in it, unless the browser has it. */
  hintLocale({ cookies }: FastifyRequest, reply: FastifyReply, locale: Locale): void {
    if (cookies[SIGNED_IN_COOKIE] !== locale) this.#hint(reply, locale)
  }

  #hint(reply: FastifyReply, value = '1'): void {
    reply.setCookie(SIGNED_IN_COOKIE, value, { ...this.#hintAttributes(), maxAge: MAX_COOKIE_SECONDS })
  }

  #hintAttributes() {
    return { ...this.#attributes(), httpOnly: false }
  }

  async seller(request: FastifyRequest): Promise<Seller | undefined> {
    const found = await this.#find('seller', this.#lookups.seller, request)
    return (
      found && {
        kind: 'seller',
        id: found.id,
        username: found.username,
        locale: found.locale,
        sid: found.sid,
      }
    )
  }

  async staff(request: FastifyRequest): Promise<Staff | undefined> {
    const found = await this.#find('staff', this.#lookups.staff, request)
    return (
      found && {
        kind: 'staff',
        id: found.id,
        username: found.username,
        role: found.role,
        needsSecondFactor: needsSecondFactor(this.#context.site, found),
        sid: found.sid,
      }
    )
  }

  /** How long an unused session lasts. */
  idleSeconds(kind: SessionKind): number {
    return this.#rules[kind].idleSeconds
  }

  /** By sid, without ended sessions. Does not extend them. */
  secondsLeft(sids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return queries.readSecondsLeft(this.#context.db, sids)
  }

  async #find<Found extends queries.FoundSession>(
    kind: SessionKind,
    lookup: { execute(values: { sid: string }): Promise<Found[]> },
    request: FastifyRequest,
  ) {
    const sid = this.#sidOf(kind, request)
    if (sid === undefined) return undefined
    const found = await this.recognize(sid, request, async () => (await lookup.execute({ sid }))[0])
    if (!found) return undefined
    if (kind === 'seller' || isAttended(request)) await this.#extend(kind, sid, found)
    return { ...found, sid }
  }

  /**
   * Looks up the hash of a session's or API token's secret. Unknown ones count against the address, so that a flood of invented
   * ones does not reach the database.
   */
  async recognize<Found>(
    hash: string,
    { ip }: FastifyRequest,
    lookUp: () => Promise<Found | undefined>,
  ): Promise<Found | undefined> {
    const network = networkOf(ip)
    if (!this.#seen.has(hash)) await this.#limits.check('unknownSession', network)
    const found = await lookUp()
    if (found) {
      this.#remember(hash)
    } else {
      this.#seen.delete(hash)
      await this.#limits.count('unknownSession', network)
    }
    return found
  }

  #remember(sid: string): void {
    const [oldest] = this.#seen
    if (this.#seen.size >= MAX_SEEN && oldest !== undefined && !this.#seen.has(sid)) this.#seen.delete(oldest)
    this.#seen.add(sid)
  }

  async #extend(kind: SessionKind, sid: string, { id, secondsToGain }: queries.FoundSession): Promise<void> {
    const { idleSeconds, extendAfterSeconds } = this.#rules[kind]
    if (secondsToGain < extendAfterSeconds) return
    await queries.extendSession(this.#context.db, sid, idleSeconds)
    if (kind === 'seller') await queries.updateLastVisit(this.#context.db, id)
  }

  async #endCurrent(tx: Transaction, kind: SessionKind, request: FastifyRequest): Promise<void> {
    const sid = this.#sidOf(kind, request)
    if (sid === undefined) return
    const administratorId = await queries.deleteSession(tx, sid)
    if (administratorId) await releaseClaimsOf(tx, administratorId)
    await endSockets(tx, [sid])
  }

  #sidOf(kind: SessionKind, request: FastifyRequest): string | undefined {
    const token = request.cookies[this.#name(this.#rules[kind].cookie)]
    return token ? hashToken(token) : undefined
  }

  #name(cookie: string): string {
    return cookieName(this.#context.site, cookie)
  }

  #attributes() {
    return cookieAttributes(this.#context.site)
  }
}

/** Whether the administrator must set up a second factor before anything else. */
export function needsSecondFactor(
  { requireTotp = false }: Site,
  { secondFactor }: { secondFactor: boolean },
): boolean {
  return requireTotp && !secondFactor
}

/** Whether a person may have caused the request. Idle pages mark their requests, and live channels open without anyone's doing. */
function isAttended({ headers, ws }: FastifyRequest): boolean {
  return headers[UNATTENDED_HEADER] === undefined && !ws
}

function userAgentOf(request: FastifyRequest): { userAgent?: string } {
  const userAgent = request.headers['user-agent']
  return userAgent ? { userAgent: userAgent.slice(0, 300) } : {}
}

/** Deletes expired sessions and closes their sockets. */
export async function deleteExpiredSessions(db: Database): Promise<void> {
  await transaction(db, async (tx) => endSockets(tx, await queries.deleteExpiredSessions(tx)))
}
