import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LIVE_PATH } from '#contract/live.ts'
import type { Context } from '#server/context.ts'
import type { Seller, Staff } from '#server/http/actor.ts'
import { Refusal } from '#server/http/refusal.ts'
import { requireSameSite } from '#server/http/same-site.ts'
import type { Sessions } from '#server/sessions/sessions.ts'
import type { Sockets } from './sockets.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The people whose sessions came with a live handshake. */
    people?: { seller: Seller | undefined; staff: Staff | undefined }
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
        request.people = await signedInPeople(request, sessions)
      },
    },
    (socket, request) => {
      if (request.people) sockets.add(socket, request.people)
      // Nothing that a client sends means anything.
      socket.on('message', () => {})
    },
  )
}

async function signedInPeople(request: FastifyRequest, sessions: Sessions) {
  const [seller, staff] = await Promise.all([sessions.seller(request), sessions.staff(request)])
  if (!seller && !staff) throw new Refusal('signed_out', 'Please sign in')
  return { seller, staff }
}
