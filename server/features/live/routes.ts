import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LIVE_PATH, type LiveSide, liveQuery, liveSides } from '#contract/live.ts'
import type { Context } from '#server/context.ts'
import { hasContactThread } from '#server/features/chat/actions.ts'
import type { Sessions } from '#server/features/people/sessions/sessions.ts'
import { signedOut } from '#server/http/actor.ts'
import { parseWith } from '#server/http/errors.ts'
import { notFound } from '#server/http/refusal.ts'
import { requireSameSite } from '#server/http/same-site.ts'
import type { Listener, Sockets } from '#server/platform/live/sockets.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who a live handshake says will listen. */
    listeners?: readonly Listener[]
  }
}

/** The live channel: from this site only, and never anonymous. */
export function serveLive(
  app: FastifyInstance,
  { context, sessions, sockets }: { context: Context; sessions: Sessions; sockets: Sockets },
): void {
  app.get(
    LIVE_PATH,
    {
      websocket: true,
      onRequest: async (request) => {
        requireSameSite(request, context.site.allowedOrigin)
        const { sessionId } = parseWith(liveQuery, request.query)
        request.listeners =
          sessionId === undefined
            ? await signedInPeople(request, sessions)
            : await contactVisitor(context, sessionId)
      },
    },
    (socket, { listeners = [] }) => sockets.add(socket, listeners),
  )
}

/** Without this every route would accept an upgrade, and /%77s would be /ws. */
export function refuseOtherUpgrades(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.ws && request.url.split('?', 1)[0] !== LIVE_PATH) throw notFound()
    done()
  })
}

/** Our screens name their side, so that each socket belongs to one session. */
async function signedInPeople(request: FastifyRequest, sessions: Sessions): Promise<Listener[]> {
  const offered = request.headers['sec-websocket-protocol']?.split(',').map((name) => name.trim())
  const side = liveSides.find((name) => offered?.includes(name))
  const [seller, staff] = await Promise.all([
    side === 'staff' ? undefined : sessions.seller(request),
    side === 'seller' ? undefined : sessions.staff(request),
  ])
  if (!seller && !staff) throw signedOut(side)
  const session = (kind: LiveSide, sid: string) => ({
    sid,
    secondsLeft: () => sessions.secondsLeft(kind, sid),
  })
  return [
    ...(seller
      ? [{ audience: { userId: seller.id }, owner: seller.id, session: session('seller', seller.sid) }]
      : []),
    ...(staff ? [{ audience: 'staff' as const, owner: staff.id, session: session('staff', staff.sid) }] : []),
  ]
}

/** Knowing the key of a contact thread is what admits its visitor, here as everywhere. */
async function contactVisitor(context: Context, sessionId: string): Promise<Listener[]> {
  if (!(await hasContactThread(context, sessionId))) throw notFound()
  return [{ audience: { sessionId }, owner: sessionId }]
}
