import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LIVE_PATH, liveQuery, liveSides } from '#contract/live.ts'
import type { Sessions } from '#server/features/accounts/sessions/sessions.ts'
import { mayNow, type Seller, type Staff, setupRequired, signedOut } from '#server/http/actor.ts'
import { parseWith } from '#server/http/errors.ts'
import type { Limits } from '#server/http/limits/limits.ts'
import { networkOf } from '#server/http/limits/network.ts'
import { notFound } from '#server/http/refusal.ts'
import { requireSameSite } from '#server/http/same-site.ts'
import type { Site } from '#server/platform/config/site.ts'
import type { Audience } from '#server/platform/live/publish.ts'
import type { Listener, Sockets } from '#server/platform/live/sockets.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set during the handshake of the live channel. */
    listeners?: readonly Listener[]
  }
}

interface LiveOptions {
  readonly site: Site
  readonly limits: Limits
  readonly sessions: Sessions
  readonly sockets: Sockets
  /** Throws 404 if this key opens no contact thread. The key alone lets its visitor in, here as in every call. */
  readonly openContact: (key: string) => Promise<unknown>
}

/** The live channel, for this site only and never anonymous. */
export function serveLive(
  app: FastifyInstance,
  { site, limits, sessions, sockets, openContact }: LiveOptions,
): void {
  app.get(
    LIVE_PATH,
    {
      websocket: true,
      onRequest: async (request) => {
        // Counted by address, before the database is asked for a session.
        await limits.count('handshake', networkOf(request.ip))
        requireSameSite(request, site.allowedOrigin)
        const { sessionId } = parseWith(liveQuery, request.query)
        if (sessionId === undefined) {
          request.listeners = await signedInPeople(request, sessions)
        } else {
          await openContact(sessionId)
          request.listeners = [{ audience: { sessionId }, owner: sessionId }]
        }
      },
    },
    (socket, { listeners = [] }) => sockets.add(socket, listeners),
  )
}

/** Without this, every route would accept a WebSocket, and /%77s would be /ws. */
export function refuseOtherUpgrades(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.ws && request.url.split('?', 1)[0] !== LIVE_PATH) throw notFound()
    done()
  })
}

/** Our screens name their side, so each of their sockets belongs to one session. */
async function signedInPeople(request: FastifyRequest, sessions: Sessions): Promise<Listener[]> {
  const offered = request.headers['sec-websocket-protocol']?.split(',').map((name) => name.trim())
  const side = liveSides.find((name) => offered?.includes(name))
  const [seller, staff] = await Promise.all([
    side === 'staff' ? undefined : sessions.seller(request),
    side === 'seller' ? undefined : sessions.staff(request),
  ])
  if (!seller && !staff) throw signedOut(side)
  if (!seller && staff?.needsSecondFactor) throw setupRequired()
  const listener = ({ id, sid }: Seller | Staff, audience: Audience): Listener => ({
    audience,
    owner: id,
    session: { sid, secondsLeft: (sids) => sessions.secondsLeft(sids) },
  })
  return [
    ...(seller ? [listener(seller, { userId: seller.id })] : []),
    ...(staff && mayNow(staff, 'see_submissions') ? [listener(staff, 'staff')] : []),
    ...(staff && mayNow(staff, 'chat') ? [listener(staff, 'chat staff')] : []),
  ]
}
