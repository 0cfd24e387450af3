import type { FastifyReply, FastifyRequest } from 'fastify'
import { UNATTENDED_HEADER } from '#contract/accounts.ts'
import type { Context } from '#server/context.ts'
import { releaseClaimsOf } from '#server/features/claims/actions.ts'
import type { FindActor, Seller, Staff } from '#server/http/actor.ts'
import type { Limits } from '#server/http/limits/limits.ts'
import { networkOf } from '#server/http/limits/network.ts'
import type { Site } from '#server/platform/config/site.ts'
import type { Database, Transaction } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { endSockets } from '#server/platform/live/publish.ts'
import { cookieAttributes, cookieName, LONGEST_COOKIE_SECONDS } from './cookies.ts'
import * as queries from './queries.ts'
import { hashToken, newToken } from './token.ts'

type SessionKind = 'seller' | 'staff'

interface SessionRule {
  readonly cookie: string
  /** How long a session lives without being used; the table decides, whatever the cookie says. */
  readonly idleSeconds: number
  /** Absolute maximum age; undefined means no limit while the session is used. */
  readonly longestSeconds?: number
  /** A session in use is prolonged, but only once it would gain this much. */
  readonly prolongAfterSeconds: number
  /** How long the browser keeps the cookie; without it, until it is closed. */
  readonly cookieSeconds?: number
}

/** Sellers stay signed in on their phone. */
const seller: SessionRule = {
  cookie: 'unspent_session',
  idleSeconds: 30 * 24 * 3600,
  prolongAfterSeconds: 3600,
  cookieSeconds: LONGEST_COOKIE_SECONDS,
}

export const SELLER_IDLE_SECONDS = seller.idleSeconds

/** How long administrators stay signed in. */
export interface StaffSessions {
  readonly hours: number
  readonly idleMinutes: number
}

const STAFF_COOKIE = 'unspent_staff'

/** Staff handle cash: they sign in every day, and again after a break. */
function staffRule({ hours, idleMinutes }: StaffSessions): SessionRule {
  return {
    cookie: STAFF_COOKIE,
    idleSeconds: idleMinutes * 60,
    longestSeconds: hours * 3600,
    prolongAfterSeconds: Math.min(60, idleMinutes * 6),
  }
}

/** What the cookie of such a session is called on this site. */
export function sessionCookie(site: Site, kind: SessionKind): string {
  return cookieName(site, kind === 'seller' ? seller.cookie : STAFF_COOKIE)
}

/** Maximum sessions remembered as known; the oldest is dropped first. */
const MAX_SEEN = 10_000

/** Sessions of sellers and of staff: a random token in a cookie, its hash in the table. */
export class Sessions implements FindActor {
  readonly #context: Context
  readonly #limits: Limits
  /** Sessions that were started or found before. A flood of made-up ones does not stop them behind the same address. */
  readonly #seen = new Set<string>()
  readonly #rules: Readonly<Record<SessionKind, SessionRule>>
  readonly #lookUps: ReturnType<typeof queries.prepareLookUps>

  constructor(context: Context, limits: Limits, staff: StaffSessions = { hours: 12, idleMinutes: 30 }) {
    this.#context = context
    this.#limits = limits
    this.#rules = { seller, staff: staffRule(staff) }
    const { idleSeconds } = this.#rules.staff
    this.#lookUps = queries.prepareLookUps(context.db, { seller: seller.idleSeconds, staff: idleSeconds })
  }

  /**
   * Signs somebody in, always with a new token, and ends the session that this browser had before.
   * @param within is done in the same transaction, while nobody can change the account: there is no session if it throws
   * @returns what that returns
   */
  async start<T>(
    kind: SessionKind,
    id: string,
    request: FastifyRequest,
    reply: FastifyReply,
    within: (tx: Transaction) => Promise<T>,
  ): Promise<T> {
    const token = newToken()
    const { cookie, idleSeconds, longestSeconds, cookieSeconds } = this.#rules[kind]
    const session = {
      sid: hashToken(token),
      ...(kind === 'seller' ? { userId: id } : { administratorId: id }),
      sess: { createdAt: new Date().toISOString(), ...userAgentOf(request) },
    }
    const done = await transaction(this.#context.db, async (tx) => {
      // From here on a change of the account that ends its sessions waits, and then ends this one too.
      await queries.insertSession(tx, session, { idle: idleSeconds, longest: longestSeconds })
      if (kind === 'seller') await queries.noteVisit(tx, id)
      // After the account was locked, as such a change does it too: in another order the two could wait for each other.
      await this.#endCurrent(tx, kind, request)
      return await within(tx)
    })
    this.#remember(session.sid)
    reply.setCookie(this.#name(cookie), token, {
      ...this.#attributes(),
      ...(cookieSeconds && { maxAge: cookieSeconds }),
    })
    reply.header('cache-control', 'no-store')
    return done
  }

  /** Signs this browser out; its open sockets end with it. */
  async end(kind: SessionKind, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    await transaction(this.#context.db, (tx) => this.#endCurrent(tx, kind, request))
    reply.clearCookie(this.#name(this.#rules[kind].cookie), this.#attributes())
    reply.header('cache-control', 'no-store')
  }

  async seller(request: FastifyRequest): Promise<Seller | undefined> {
    const found = await this.#find('seller', request)
    return found && { kind: 'seller', ...found }
  }

  async staff(request: FastifyRequest): Promise<Staff | undefined> {
    const found = await this.#find('staff', request)
    return found && { kind: 'staff', ...found }
  }

  /** 0 once the session has ended. Asking does not prolong it. */
  async secondsLeft(kind: SessionKind, sid: string): Promise<number> {
    const [found] = await this.#lookUps[kind].execute({ sid })
    return found?.secondsLeft ?? 0
  }

  async #find(kind: SessionKind, request: FastifyRequest) {
    const sid = this.#sidOf(kind, request)
    if (sid === undefined) return undefined
    // Before anything is looked up, so that made-up cookies cost nothing after a while.
    const network = networkOf(request.ip)
    if (!this.#seen.has(sid)) await this.#limits.check('unknownSession', network)
    const [found] = await this.#lookUps[kind].execute({ sid })
    if (!found) {
      this.#seen.delete(sid)
      await this.#limits.count('unknownSession', network)
      return undefined
    }
    this.#remember(sid)
    if (kind === 'seller' || isAttended(request)) await this.#prolong(kind, sid, found)
    return { id: found.id, username: found.username, sid }
  }

  #remember(sid: string): void {
    const [oldest] = this.#seen
    if (this.#seen.size >= MAX_SEEN && oldest !== undefined && !this.#seen.has(sid)) this.#seen.delete(oldest)
    this.#seen.add(sid)
  }

  async #prolong(kind: SessionKind, sid: string, { id, secondsToGain }: queries.FoundSession): Promise<void> {
    const { idleSeconds, prolongAfterSeconds } = this.#rules[kind]
    if (secondsToGain < prolongAfterSeconds) return
    await queries.prolongSession(this.#context.db, sid, idleSeconds)
    if (kind === 'seller') await queries.noteVisit(this.#context.db, id)
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

/** Whether a person may have caused it: a page that nobody is using says so, and a live channel opens by itself. */
function isAttended({ headers, ws }: FastifyRequest): boolean {
  return headers[UNATTENDED_HEADER] === undefined && !ws
}

function userAgentOf(request: FastifyRequest): { userAgent?: string } {
  const userAgent = request.headers['user-agent']
  return userAgent ? { userAgent: userAgent.slice(0, 300) } : {}
}

/** Removes the sessions that have run out; a socket that was left open in one ends with it. */
export async function deleteExpiredSessions(db: Database): Promise<void> {
  await transaction(db, async (tx) => endSockets(tx, await queries.deleteExpiredSessions(tx)))
}
