import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Body, LimitName, Params, Query, Route } from '#contract/route.ts'
import { ConcurrencyLimit } from '#server/platform/concurrency-limit.ts'
import type { Locale } from '#words/locales.ts'
import { type Actor, type ActorOf, admit, type FindActor } from './actor.ts'
import { STAFF_PATH } from './language.ts'
import { type Limits, refundsInvalid } from './limits/limits.ts'
import { networkOf } from './limits/network.ts'
import { Refusal } from './refusal.ts'

interface Call<R extends Route> {
  readonly actor: ActorOf<R>
  readonly params: Params<R>
  readonly query: Query<R>
  readonly body: Body<R>
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

/** A handler returns one of the contract's answers, with dates and cents, or the reply it has sent itself. */
type Result<R extends Route> =
  | FastifyReply
  | (R extends { file: string } ? never : z.output<R['answers'][keyof R['answers']]>)

type Handler<R extends Route> = (call: Call<R>) => Promise<Result<R>>

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's entry in the contract. */
    contract?: Route
  }
  interface FastifyRequest {
    /** Unset for visitors. */
    actor?: Actor
  }
}

export type Serve = <R extends Route>(route: R, handler: Handler<R>) => void

/**
 * Registers routes of the contract. For each request it checks, in this order: who is calling (before the body is read),
 * the rate limit, and the input. Then the handler runs, and its answer is encoded by the contract, which leaves out all other fields.
 */
export function serving(app: FastifyInstance, { find, limits }: { find: FindActor; limits: Limits }): Serve {
  return (route, handler) => {
    const limit: LimitName = route.limit
    const [status = 200] = Object.keys(route.answers)
      .map(Number)
      .sort((a, b) => b - a)
    app.route({
      method: route.method,
      url: route.path,
      config: { contract: route },
      schema: schemaOf(route),
      // HEAD runs the handler of GET, which records that the file was sent.
      exposeHeadRoute: !isPrivateFile(route),
      ...(isGuarded(route) && {
        onRequest: async (request, reply) => {
          if (route.access === 'anyone') request.sellerLocale = await sellerLocaleOf(route, request, find)
          if (route.access !== 'anyone') {
            reply.header('cache-control', 'no-store')
            request.actor = await admit(route, request, find)
          }
          if (limit !== 'none') await limits.count(limit, clientOf(request))
          if (route.body) requireBodyType(route, request)
        },
      }),
      ...(refundsInvalid(limit) && {
        onSend: async (request, reply) => {
          if (reply.statusCode === 400) await limits.giveBack(limit, clientOf(request))
        },
      }),
      handler: (request, reply) => {
        reply.code(status)
        const handle = () =>
          handler({
            actor: request.actor ?? VISITOR,
            params: request.params,
            query: request.query,
            body: request.body,
            request,
            reply,
          } as never)
        return route.file?.startsWith('image/') ? pictures.run(handle, clientOf(request)) : handle()
      },
    })
  }
}

/** Sellers who are signed in read the answers of visitors' routes in their language too. */
async function sellerLocaleOf(
  { method, query, path }: Route,
  request: FastifyRequest,
  find: FindActor,
): Promise<Locale | undefined> {
  const hasTexts = (method !== 'GET' || query) && !path.startsWith(STAFF_PATH)
  // An unknown session, or too many of them, must not keep a visitor out.
  const seller = hasTexts ? await find.seller(request).catch(() => undefined) : undefined
  return seller?.locale
}

/** Decrypting a picture takes twice its size in memory. */
const pictures = new ConcurrencyLimit({ concurrency: 8, maxWaiting: 400 })

function requireBodyType({ multipart }: Route, { headers }: FastifyRequest): void {
  const isForm = isFormType(headers['content-type'])
  if (isForm && !multipart) throw new Refusal('unsupported_body', 'refusals.not_json')
  if (!isForm && multipart === true) throw new Refusal('unsupported_body', 'refusals.not_multipart')
}

export function isFormType(contentType: string | undefined): boolean {
  return /^\s*multipart\/form-data\b/i.test(contentType ?? '')
}

const VISITOR: Actor = { kind: 'visitor' }

const isGuarded = ({ access, limit }: Route): boolean => access !== 'anyone' || limit !== 'none'

const isPrivateFile = ({ access, file }: Route): boolean => file !== undefined && access !== 'anyone'

/** The client a call is counted for: the API token or the signed-in person, or else the address. */
export function clientOf({ actor, ip }: FastifyRequest): string {
  if (!actor || actor.kind === 'visitor') return networkOf(ip)
  return (actor.kind === 'staff' && actor.tokenId) || actor.id
}

function schemaOf(route: Route): Record<string, unknown> {
  return {
    summary: route.summary,
    ...(route.params && { params: route.params }),
    ...(route.query && { querystring: route.query }),
    // The fields of a multipart body are parsed where its files are read.
    ...(route.body && !route.multipart && { body: route.body }),
    // Rows have more fields than answers, so a status without a schema must not be sent.
    ...(!route.file && { response: { ...route.answers, default: z.never() } }),
  }
}
