import { randomUUID } from 'node:crypto'
import cookie from '@fastify/cookie'
import multipart from '@fastify/multipart'
import websocket from '@fastify/websocket'
import fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { serializerCompiler } from 'fastify-type-provider-zod'
import type { Context } from '#server/context.ts'
import { KnownBrowsers } from '#server/features/accounts/credentials/known-browsers.ts'
import { requirePassword } from '#server/features/accounts/credentials/password.ts'
import { serveCredentials } from '#server/features/accounts/credentials/routes.ts'
import { serveBounces } from '#server/features/accounts/sellers/bounces.ts'
import { serveSellers } from '#server/features/accounts/sellers/routes.ts'
import { Sessions, type StaffSessions } from '#server/features/accounts/sessions/sessions.ts'
import { bearerToken, TokenBearers } from '#server/features/accounts/staff/api-tokens.ts'
import type { OidcSettings } from '#server/features/accounts/staff/oidc-provider.ts'
import { serveStaff } from '#server/features/accounts/staff/routes.ts'
import { serveAudit } from '#server/features/audit/routes.ts'
import { serveBalanceConnectors } from '#server/features/balance-connectors/routes.ts'
import { serveBrands, serveCatalog } from '#server/features/brands/routes.ts'
import { openContact } from '#server/features/chat/actions.ts'
import { serveChat } from '#server/features/chat/routes.ts'
import { serveClaims } from '#server/features/claims/routes.ts'
import { describeApi, serveApiDocument } from '#server/features/docs/openapi.ts'
import { liveFigures } from '#server/features/figures/figures.ts'
import { serveInventory } from '#server/features/inventory/routes.ts'
import { refuseOtherUpgrades, serveLive } from '#server/features/live/routes.ts'
import { serveNotifications, serveUnsubscribe } from '#server/features/notifications/routes.ts'
import { serveOwnData } from '#server/features/own-data/routes.ts'
import { servePaymentMethods } from '#server/features/payment-methods/routes.ts'
import { serveProviderWebhook } from '#server/features/payouts/provider/routes.ts'
import { servePayouts } from '#server/features/payouts/routes.ts'
import { serveReports } from '#server/features/reports/routes.ts'
import { serveReviews } from '#server/features/reviews/routes.ts'
import { serveStaffSubmissions } from '#server/features/submissions/desk/routes.ts'
import { serveSellerPage } from '#server/features/submissions/desk/seller-page/routes.ts'
import { servePolicies } from '#server/features/submissions/policies/routes.ts'
import { serveSellerSubmissions } from '#server/features/submissions/selling/routes.ts'
import type { Operation } from '#server/features/system/findings.ts'
import { serveSystem } from '#server/features/system/routes.ts'
import { serveWebhooks } from '#server/features/webhooks/routes.ts'
import type { Staff } from '#server/http/actor.ts'
import { type ArrivalLimits, arrivalLimits, readJsonBodies } from '#server/http/arrival.ts'
import { connectionLimiter, limitAnswers, refuseUnread } from '#server/http/connections.ts'
import { addressRefuser, compileValidator, handleErrors, sendRefusal } from '#server/http/errors.ts'
import { sendSecurityHeaders } from '#server/http/headers.ts'
import { type Health, serveHealth } from '#server/http/health.ts'
import { answerInLanguages } from '#server/http/language.ts'
import type { Limits } from '#server/http/limits/limits.ts'
import { shedOverload, type Traffic } from '#server/http/overload.ts'
import { notFound } from '#server/http/refusal.ts'
import { refuseCrossSite } from '#server/http/same-site.ts'
import { serveScreens } from '#server/http/screens.ts'
import { serving } from '#server/http/serve.ts'
import { type Observe, traceRequests } from '#server/http/trace-requests.ts'
import type { Sockets } from '#server/platform/live/sockets.ts'
import type { PushSender } from '#server/platform/push/push-sender.ts'

const JSON_BODY_BYTES = 256 * 1024

interface AppOptions {
  readonly context: Context
  /** Started, without folders, by default. */
  readonly health?: Health
  readonly limits: Limits
  readonly sockets: Sockets
  /** Without it, owners cannot see how the process runs. */
  readonly operation?: Operation
  /** The proxies whose X-Forwarded-* headers are trusted. */
  readonly trustProxy: false | readonly string[]
  /** Without it, browsers cannot subscribe to notifications. */
  readonly push?: PushSender
  /** What the mail provider sends with its reports. */
  readonly bounceSecret?: string | undefined
  /** The provider through which staff can sign in. */
  readonly oidc?: OidcSettings | undefined
  /** The folder of the built web app. Without it only the API is served. */
  readonly web?: string
  /** How long administrators stay signed in. */
  readonly staffSessions?: StaffSessions | undefined
  readonly arrival?: ArrivalLimits
  /** Counted here, read by the metrics. */
  readonly traffic?: Traffic
  readonly observe?: Observe
}

/** The whole server, not yet listening. Tests inject requests into it. */
export async function buildApp({
  context,
  health = { isStarted: true, folders: [] },
  limits,
  sockets,
  operation,
  trustProxy,
  push,
  oidc,
  bounceSecret,
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
      pace: limits.pace,
    }),
    clientErrorHandler: refuseUnread,
    frameworkErrors: addressRefuser(context.words),
    // Never an id the client sends: it could forge lines of the log.
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 300 },
    return503OnClosing: true,
  })
  app.setValidatorCompiler(compileValidator)
  app.setSerializerCompiler(serializerCompiler)
  readJsonBodies(app, arrival)
  answerInLanguages(app, context.words)
  handleErrors(app)
  traceRequests(app, observe)
  limitAnswers(app, arrival)
  shedOverload(app, { pool: context.db.$client, traffic, inFlight: limits.inFlight })
  app.addHook('onRequest', (request, _reply, done) => {
    // No browser adds a token on another site's behalf, and a call with one uses no cookie.
    if (bearerToken(request) === undefined) refuseCrossSite(request, context.site.allowedOrigin)
    done()
  })
  await sendSecurityHeaders(app, context.site)
  await app.register(websocket, { options: { maxPayload: 4096 } })
  refuseOtherUpgrades(app)

  await describeApi(app, context.site, limits)

  const browsers = new KnownBrowsers(context, limits)
  const sessions = new Sessions(context, limits, browsers, staffSessions)
  const bearers = new TokenBearers(context, sessions)
  await app.register(cookie)
  // The same for everyone: needs neither a session nor uploads.
  await app.register(async (scope) => {
    const serve = serving(scope, { find: bearers, limits })
    serveHealth(serve, context, health)
    serveCatalog(serve, context)
    serveApiDocument(serve, app)
  })
  await app.register(async (scope) => {
    serveUnsubscribe(scope, serving(scope, { find: bearers, limits }), context)
  })
  await app.register(async (scope) => {
    serveProviderWebhook(scope, serving(scope, { find: bearers, limits }), context)
  })
  await app.register(async (scope) => {
    await scope.register(multipart, { throwFileSizeLimit: false })
    const serve = serving(scope, { find: bearers, limits })
    serveBrands(serve, context)
    serveBounces(serve, context, bounceSecret)
    serveSellers(serve, context, { sessions, browsers, limits })
    servePaymentMethods(serve, context)
    serveNotifications(serve, context, push)
    serveStaff(serve, context, { sessions, browsers, limits, oidc })
    serveCredentials(serve, context, { sessions, browsers, limits })
    serveSellerSubmissions(serve, context)
    serveStaffSubmissions(serve, context, limits)
    serveSellerPage(serve, context)
    servePayouts(serve, context)
    const guards = {
      limits,
      requirePassword: (request: FastifyRequest, staff: Staff, password: string) =>
        requirePassword(context, browsers.guard(request), staff, password),
    }
    serveInventory(serve, context, guards)
    serveReviews(serve, context)
    serveOwnData(serve, context, { sessions, browsers })
    serveClaims(serve, context)
    serveAudit(serve, context)
    serveWebhooks(serve, context)
    serveBalanceConnectors(serve, context)
    servePolicies(serve, context)
    serveReports(serve, context, guards)
    if (operation) serveSystem(serve, context, operation)
    serveChat(serve, context, sessions)
    serveLive(scope, {
      site: context.site,
      limits,
      sessions,
      sockets,
      openContact: (key) => openContact(context, key),
    })
  })
  if (web)
    await serveScreens(app, web, {
      site: context.site,
      figures: liveFigures(context),
      words: context.words,
      onPage: (request, reply) => sessions.hintAgain(request, reply),
    })
  else app.setNotFoundHandler((_request, reply) => sendRefusal(notFound(), reply))
  return app
}
