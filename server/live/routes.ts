import type { FastifyInstance, FastifyRequest } from 'fastify'
import { closeCodes, LIVE_PATH, liveQuery } from '#contract/live.ts'
import { hasContactThread } from '#server/chat/actions.ts'
import type { Context } from '#server/context.ts'
import { signedOut } from '#server/http/actor.ts'
import { parseWith } from '#server/http/errors.ts'
import { notFound } from '#server/http/refusal.ts'
import { requireSameSite } from '#server/http/same-site.ts'
import type { Sessions } from '#server/sessions/sessions.ts'
import type { Listeners, Sockets } from './sockets.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who a live handshake says will listen. */
    listeners?: Listeners
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
    async (socket, request) => {
      // Nothing that a client sends means anything.
      socket.on('message', () => {})
      const { listeners } = request
      if (!listeners) return
      sockets.add(socket, listeners)
      // Who signed out during the handshake was told before this socket could hear it.
      if (!(await isStillSignedIn(request, sessions, listeners)))
        socket.close(closeCodes.signedOut, 'Signed out')
    },
  )
}

async function signedInPeople(request: FastifyRequest, sessions: Sessions): Promise<Listeners> {
  const [seller, staff] = await Promise.all([sessions.seller(request), sessions.staff(request)])
  if (!seller && !staff) throw signedOut()
  return { seller, staff }
}

async function isStillSignedIn(
  request: FastifyRequest,
  sessions: Sessions,
  { seller, staff }: Listeners,
): Promise<boolean> {
  if (seller && !(await sessions.seller(request))) return false
  return !staff || (await sessions.staff(request)) !== undefined
}

/** Knowing the key of a contact thread is what admits its visitor, here as everywhere. */
async function contactVisitor(context: Context, sessionId: string): Promise<Listeners> {
  if (!(await hasContactThread(context, sessionId))) throw notFound()
  return { sessionId }
}
