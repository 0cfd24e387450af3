import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import type { FastifyInstance, FastifySchema } from 'fastify'
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod'
import type { OpenAPIV3_1 } from 'openapi-types'
import { z } from 'zod'
import * as accounts from '#contract/accounts.ts'
import * as administrators from '#contract/administrators.ts'
import * as apiTokens from '#contract/api-tokens.ts'
import * as audit from '#contract/audit.ts'
import * as balanceConnectors from '#contract/balance-connectors.ts'
import * as brands from '#contract/brands.ts'
import * as chat from '#contract/chat.ts'
import { type ErrorCode, errorBody, errorMeanings, errorStatuses } from '#contract/errors.ts'
import * as holds from '#contract/holds.ts'
import * as home from '#contract/home.ts'
import * as inventory from '#contract/inventory.ts'
import * as ledger from '#contract/ledger.ts'
import * as live from '#contract/live.ts'
import * as mailBounces from '#contract/mail-bounces.ts'
import * as notifications from '#contract/notifications.ts'
import * as oidc from '#contract/oidc.ts'
import * as ownData from '#contract/own-data.ts'
import * as passkeys from '#contract/passkeys.ts'
import * as paymentMethods from '#contract/payment-methods.ts'
import * as payouts from '#contract/payouts.ts'
import * as policies from '#contract/policies.ts'
import * as push from '#contract/push.ts'
import * as reports from '#contract/reports.ts'
import * as reviews from '#contract/reviews.ts'
import { type Access, callLimits, type Route, refusalsOf } from '#contract/route.ts'
import * as savedReplies from '#contract/saved-replies.ts'
import * as secondFactor from '#contract/second-factor.ts'
import * as sellers from '#contract/sellers.ts'
import * as service from '#contract/service.ts'
import * as staff from '#contract/staff.ts'
import * as staffAccounts from '#contract/staff-accounts.ts'
import * as staffChat from '#contract/staff-chat.ts'
import * as staffSubmissions from '#contract/staff-submissions.ts'
import * as statements from '#contract/statements.ts'
import * as submissions from '#contract/submissions.ts'
import * as system from '#contract/system.ts'
import * as taxDetails from '#contract/tax-details.ts'
import * as webhooks from '#contract/webhooks.ts'
import { MAX_COUNTED } from '#domain/counting.ts'
import { MAX_PHOTOS } from '#domain/photo-files.ts'
import { isCapability, personalCapabilities, rolesThatMay } from '#domain/roles.ts'
import { sessionCookie } from '#server/features/accounts/sessions/sessions.ts'
import type { Limits } from '#server/http/limits/limits.ts'
import { networkOf } from '#server/http/limits/network.ts'
import { notFound } from '#server/http/refusal.ts'
import type { Serve } from '#server/http/serve.ts'
import type { Site } from '#server/platform/config/site.ts'
import manifest from '../../../package.json' with { type: 'json' }

/** The parts of the contract, under the headings of the description. */
const parts = {
  Brands: brands,
  Accounts: accounts,
  Passkeys: passkeys,
  Notifications: { ...notifications, ...mailBounces },
  Push: push,
  'Own data': ownData,
  Submissions: { ...submissions, ...home },
  'Payment methods': paymentMethods,
  Reviews: reviews,
  'Chat and contact': chat,
  'Review desk': { ...staffSubmissions, ...staff, ...sellers },
  'Staff chat': { ...staffChat, ...savedReplies },
  'Second factor': secondFactor,
  'Staff accounts': { ...administrators, ...oidc, ...staffAccounts },
  Connections: { ...apiTokens, ...webhooks, ...balanceConnectors },
  Policies: policies,
  Payouts: payouts,
  'Bank statements': statements,
  'Inventory and holds': { ...inventory, ...holds },
  'Reports and ledger': { ...reports, ...ledger, ...taxDetails },
  'Audit log': audit,
  System: system,
  'Live channel': live,
  Server: service,
}

/** Every schema the contract exports, under its name. */
const named = z.registry<{ id: string }>()
/** Every route of the contract, with its name and heading. */
const operations = new Map<Route, { operationId: string; tags: string[] }>()
for (const [tag, part] of Object.entries<Record<string, unknown>>(parts)) {
  for (const [name, value] of Object.entries(part)) {
    if (value instanceof z.ZodObject || value instanceof z.ZodDiscriminatedUnion) {
      named.add(value, { id: name[0]?.toUpperCase() + name.slice(1) })
    }
    if (!name.endsWith('Routes')) continue
    for (const [operationId, route] of Object.entries(value as Record<string, Route>)) {
      operations.set(route, { operationId, tags: [tag] })
    }
  }
}
named.add(errorBody, { id: 'ErrorBody' })

/** The live channel is not a call, but described like one. */
const liveRoute: Route = {
  method: 'GET',
  path: live.LIVE_PATH,
  summary:
    'A WebSocket that reports changes, for the sessions of the cookies or for the contact thread of sessionId. After reconnecting, read again what may have changed. The subprotocol seller or staff selects one of two sessions. The text ping is answered with a PONG; everything else a client sends is ignored',
  access: 'anyone',
  limit: 'none',
  query: live.liveQuery,
  answers: { 101: live.liveMessage },
  refuses: ['signed_out', 'cross_site', 'not_found', 'continued_by_email'],
}
operations.set(liveRoute, { operationId: 'live', tags: ['Live channel'] })

/** Describes the routes that are registered after this, and serves a viewer of the description at `/api/docs`. */
export async function describeApi(app: FastifyInstance, site: Site, limits: Limits): Promise<void> {
  const cookie = (side: 'seller' | 'staff', setBy: string) =>
    ({
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookie(site, side),
      description: `Set by ${setBy}`,
    }) as const
  const title = `${site.productName} API`
  await app.register(swagger, {
    convertConstToEnum: false,
    openapi: {
      openapi: '3.1.1',
      info: { title, version: manifest.version, description: GUIDE },
      servers: [{ url: '/' }],
      tags: Object.keys(parts).map((name) => ({ name })),
      components: {
        securitySchemes: {
          seller: cookie('seller', '`login` and `register`'),
          staff: cookie('staff', '`adminLogin`'),
          token: { type: 'http', scheme: 'bearer', description: 'A token from `createApiToken`' },
        },
      },
    },
    transform: describeRoute,
    transformObject,
  })
  await app.register(swaggerUi, {
    routePrefix: '/api/docs',
    theme: { title, css: [{ filename: 'viewer.css', content: VIEWER_STYLES }] },
    staticCSP: VIEWER_POLICY,
    uiHooks: {
      onRequest: async ({ ip, routeOptions }) => {
        await limits.count('read', networkOf(ip))
        // Writing YAML blocks the server for seconds. The viewer reads JSON.
        if (routeOptions.url?.endsWith('/yaml')) throw notFound()
      },
    },
  })
}

export function serveApiDocument(serve: Serve, app: FastifyInstance): void {
  let document: string | undefined
  serve(service.serviceRoutes.apiDocument, async ({ reply }) => {
    document ??= JSON.stringify(app.swagger())
    return reply.type('application/json; charset=utf-8').send(document)
  })
}

/** What applies to every call, in Markdown. */
const GUIDE = `Sellers and staff sign in separately, each with a session cookie. Programs of the shop send an API token instead.
Bodies are JSON in UTF-8, and \`multipart/form-data\` where photos are sent. Unknown fields are ignored, and answers may get new ones.
Every refusal has the body \`ErrorBody\`. Calls that change something are refused when a browser sends them from another site.
The file docs/api.md of the source sells a card with curl, and explains lists, limits and how to repeat a call safely.`

/** Swagger UI sets inline styles, embeds its icons and writes HTML, which the policy of the site refuses. */
const VIEWER_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Hides the bar with Fastify's logo and, as no route has links, the column that does not fit on a phone. */
const VIEWER_STYLES =
  '.swagger-ui .topbar, .swagger-ui .response-col_links { display: none } .swagger-ui .wrapper { box-sizing: border-box }'

const zodToJsonConfig = { override: tidy }
const toJsonSchema = createJsonSchemaTransform({ schemaRegistry: named, zodToJsonConfig })
const addNamedSchemas = createJsonSchemaTransformObject({ schemaRegistry: named, zodToJsonConfig })

type DescribeRoute = Exclude<FastifyDynamicSwaggerOptions['transform'], undefined>

/** Describes a route by its entry in the contract; routes without one, such as screens, are left out. */
const describeRoute: DescribeRoute = (found) => {
  const route = found.url === live.LIVE_PATH ? liveRoute : found.route.config?.contract
  const operation = route && operations.get(route)
  if (!operation) return { schema: { hide: true }, url: found.url }
  const { summary, access, limit, params, query, body, multipart } = route
  const { schema } = toJsonSchema({
    ...found,
    schema: {
      ...operation,
      summary,
      security: securityOf(access),
      ...(isCapability(access) && { 'x-roles': rolesThatMay(access) }),
      ...(params && { params: parametersOf(params) }),
      ...(query && { querystring: parametersOf(query) }),
      ...(route.idempotencyKey && { headers: idempotencyHeader }),
      ...(body && { body: multipart ? z.intersection(body, filesOf(route)) : body }),
      ...(multipart && {
        consumes: [...(multipart === true ? [] : ['application/json']), 'multipart/form-data'],
      }),
      ...(limit !== 'none' && { 'x-rate-limit': { bucket: limit, ...callLimits[limit] } }),
      response: { ...successes(route), ...refusals(route) },
    } as FastifySchema,
  })
  for (const [status, response] of Object.entries(schema.response as Record<string, object>)) {
    Object.assign(response, { headers: headersOf(status, route) })
  }
  return { schema, url: found.url.replace('*', ':path') }
}

/** Each entry alone suffices. */
function securityOf(access: Access): Record<string, string[]>[] {
  if (access === 'anyone') return []
  if (access === 'seller') return [{ seller: [] }]
  return [{ staff: [] }, ...(personalCapabilities.includes(access) ? [] : [{ token: [] }])]
}

/** The fields of an object: parameters cannot be a reference to a named schema, nor can one be named `*`. */
function parametersOf(schema: z.ZodType): z.ZodObject {
  // What is sent, before defaults are computed from it.
  const sent = schema instanceof z.ZodPipe ? schema.in : schema
  const { '*': path, ...fields } = (sent as z.ZodObject).shape
  return z.object({ ...fields, ...(path && { path }) })
}

const idempotencyHeader = z.object({
  'Idempotency-Key': z
    .string()
    .min(1)
    .max(255)
    .optional()
    .describe(
      'Chosen by the client for each request. A request sent again with the same key is carried out once',
    ),
})

/** The files that a form has besides its fields. */
function filesOf({ photo, textFile, maxPhotos = MAX_PHOTOS }: Route): z.ZodObject {
  if (textFile) return oneText
  return photo ? onePhoto : z.object({ images: z.array(z.file()).max(maxPhotos).optional() })
}

const oneText = z.object({ file: z.file() })
const onePhoto = z.object({ photo: z.file().optional() })

type Responses = Record<string, { description: string; content: Record<string, { schema: z.ZodType }> }>

function successes({ answers, file, columns }: Route): Responses {
  if (file) return { 200: { description: describeFile(columns), content: { [file]: { schema: z.file() } } } }
  return Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => {
      const description = schema.description ?? (status === '201' ? 'Created' : 'Done')
      return [status, { description, content: { 'application/json': { schema } } }]
    }),
  )
}

function describeFile(columns: Route['columns']): string {
  if (!columns) return 'The file'
  const list = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ')
  if (Array.isArray(columns)) return `The file. Its columns: ${list(columns)}`
  const kinds = Object.entries(columns).map(([name, names]) => `- \`${name}\`: ${list(names)}`)
  return `The file. Its columns:\n${kinds.join('\n')}`
}

/** The refusals by status: an answer has one schema per status. */
function refusals(route: Route): Responses {
  const codes = [...new Set(refusalsOf(route))].sort()
  const byStatus = Map.groupBy(codes, (code) => errorStatuses[code])
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => {
      const schema = z.intersection(errorBody, z.object({ code: z.enum(same as [ErrorCode]) }))
      const description = same.map((code) => `\`${code}\`: ${errorMeanings[code]}`).join('. ')
      return [status, { description, content: { 'application/json': { schema } } }]
    }),
  )
}

function headersOf(status: string, { query }: Route): Record<string, object> {
  if (status === '429' || status === '503')
    return { 'Retry-After': { type: 'integer', description: 'Seconds to wait' } }
  const isPaged = query instanceof z.ZodObject && 'cursor' in query.shape
  if (status !== '200' || !isPaged) return {}
  return {
    'X-Total-Count': {
      type: 'integer',
      maximum: MAX_COUNTED + 1,
      description: `The number of entries on all pages. ${MAX_COUNTED + 1} means more than ${MAX_COUNTED}`,
    },
    Link: {
      type: 'string',
      description: 'The address of the next page, with rel="next"; missing on the last',
    },
  }
}

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>

function tidy({ zodSchema, jsonSchema }: Parameters<Override>[0]): void {
  const { def } = zodSchema._zod
  // `describe` and `meta` write to the global registry, and this document is made from `named`.
  if (!jsonSchema.$ref) Object.assign(jsonSchema, z.globalRegistry.get(zodSchema))
  // Describes a codec as it is sent, and a pipe as it is parsed: an email address, or a number in a query.
  if (def.type === 'pipe' && def.out._zod.def.type !== 'transform') {
    const { $schema: _schema, ...parsed } = z.toJSONSchema(zodSchema instanceof z.ZodCodec ? def.in : def.out)
    for (const range of ['pattern', 'minimum', 'maximum'] as const) delete jsonSchema[range]
    Object.assign(jsonSchema, parsed)
  }
  if (def.type === 'default') jsonSchema.default = def.defaultValue as never
  // The pattern of a named format is long and adds nothing, nor does the range of safe integers.
  if (jsonSchema.format) delete jsonSchema.pattern
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  // Answers may get new fields.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
}

type TransformObject = Exclude<FastifyDynamicSwaggerOptions['transformObject'], undefined>

/** Adds the named schemas that the routes refer to, directly or through each other. */
const transformObject: TransformObject = (document) => {
  const whole = addNamedSchemas(document) as OpenAPIV3_1.Document
  const schemas: Record<string, object> = whole.components?.schemas ?? {}
  const used = new Set<string>()
  const follow = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue
      used.add(name)
      follow(schemas[name])
    }
  }
  follow(whole.paths)
  const kept = Object.fromEntries([...used].sort().map((name) => [name, schemas[name] ?? {}]))
  return { ...whole, components: { ...whole.components, schemas: kept } }
}
