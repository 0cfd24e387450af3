import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import websocket from '@fastify/websocket'
import fastify, { type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import type { Context } from '#server/context.ts'
import { serveAudit } from '#server/features/audit/routes.ts'
import { serveBrands, serveCatalogue } from '#server/features/brands/routes.ts'
import { serveChat } from '#server/features/chat/routes.ts'
import { serveClaims } from '#server/features/claims/routes.ts'
import { describeApi, serveApiDocument } from '#server/features/docs/openapi.ts'
import { refuseOtherUpgrades, serveLive } from '#server/features/live/routes.ts'
import { serveAccounts } from '#server/features/people/accounts/routes.ts'
import { servePaymentMethods } from '#server/features/people/payment-methods/routes.ts'
import { serveSecondFactor } from '#server/features/people/second-factor/routes.ts'
import { Sessions, type StaffSessions } from '#server/features/people/sessions/sessions.ts'
import { serveUsers } from '#server/features/people/users/routes.ts'
import { serveReviews } from '#server/features/reviews/routes.ts'
import { serveStaffSubmissions } from '#server/features/submissions/desk/routes.ts'
import { serveSellerSubmissions } from '#server/features/submissions/seller/routes.ts'
import { type ArrivalLimits, arrivalLimits, limitArrival, refuseUnread } from '#server/http/arrival.ts'
import { connectionLimiter, limitAnswers } from '#server/http/connections.ts'
import { handleErrors, refuseAddress, sendRefusal } from '#server/http/errors.ts'
import { sendSecurityHeaders } from '#server/http/headers.ts'
import { serveHealth } from '#server/http/health.ts'
import { readJsonBodies } from '#server/http/json-body.ts'
import type { Limits } from '#server/http/limits/limits.ts'
import { shedOverload, type Traffic } from '#server/http/overload.ts'
import { notFound } from '#server/http/refusal.ts'
import { newRequestId, type Observe, observeAnswers, traceRequests } from '#server/http/request-id.ts'
import { refuseCrossSite } from '#server/http/same-site.ts'
import { serveScreens } from '#server/http/screens.ts'
import { countHandshakes, serving } from '#server/http/serve.ts'
import type { Sockets } from '#server/platform/live/sockets.ts'

const JSON_BODY_BYTES = 256 * 1024

export interface AppOptions {
  readonly context: Context
  readonly limits: Limits
  readonly sockets: Sockets
  /** Which proxies are believed about the client's address; none by default. */
  readonly trustProxy: false | readonly string[]
  /** The folder of the built web app; without it only the calls are served. */
  readonly web?: string
  /** How long administrators stay signed in. */
  readonly staffSessions?: StaffSessions | undefined
  /** How long requests may take to arrive. */
  readonly arrival?: ArrivalLimits
  /** Kept up to date for whoever measures. */
  readonly traffic?: Traffic
  /** Without one no request does anything for it. */
  readonly observe?: Observe
}

/** The whole server, not yet listening; tests inject requests into it. */
export async function buildApp({
  context,
  limits,
  sockets,
  trustProxy,
  web,
  staffSessions,
  arrival = arrivalLimits,
  traffic = { atOnce: 0, turnedAway: 0 },
  observe,
}: AppOptions): Promise<FastifyInstance> {
  const app: FastifyInstance = fastify({
    loggerInstance: context.log,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: trustProxy === false ? false : [...trustProxy],
    bodyLimit: JSON_BODY_BYTES,
    serverFactory: connectionLimiter({
      arrival,
      trustProxy,
      maxConnections: limits.inFlight.connections,
    }),
    clientErrorHandler: refuseUnread,
    frameworkErrors: refuseAddress,
    genReqId: newRequestId,
    routerOptions: { maxParamLength: 300 },
    return503OnClosing: true,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  readJsonBodies(app)
  handleErrors(app)
  traceRequests(app)
  if (observe) observeAnswers(app, observe)
  limitArrival(app, arrival)
  limitAnswers(app, arrival)
  shedOverload(app, { pool: context.db.$client, traffic, inFlight: limits.inFlight })
  countHandshakes(app, limits)
  // A throw is a refusal, as in a handler.
  app.addHook('onRequest', (request, _reply, done) => {
    refuseCrossSite(request, context.site.allowedOrigin)
    done()
  })
  await sendSecurityHeaders(app, context.site)
  await app.register(websocket, { options: { maxPayload: 4096 } })
  refuseOtherUpgrades(app)

  await describeApi(app, context.site, limits)

  const sessions = new Sessions(context, limits, staffSessions)
  // The same for everybody: nothing of the request is looked at.
  await app.register(async (scope) => {
    const serve = serving(scope, { find: sessions, limits })
    serveHealth(serve, context)
    serveCatalogue(serve, context)
    serveApiDocument(serve, app)
  })
  await app.register(async (scope) => {
    await scope.register(cookie)
    await scope.register(multipart, { throwFileSizeLimit: false })
    const serve = serving(scope, { find: sessions, limits })
    serveBrands(serve, context)
    serveAccounts(serve, context, { sessions, limits })
    serveSellerSubmissions(serve, context)
    serveStaffSubmissions(serve, context, limits)
    servePaymentMethods(serve, context)
    serveReviews(serve, context)
    serveClaims(serve, context)
    serveSecondFactor(serve, context)
    serveAudit(serve, context)
    serveUsers(serve, context)
    serveChat(serve, context, sessions)
    serveLive(scope, { context, sessions, sockets })
  })
  if (web) await serveScreens(app, web, context.site)
  else app.setNotFoundHandler((_request, reply) => sendRefusal(notFound(), reply))
  return app
}
