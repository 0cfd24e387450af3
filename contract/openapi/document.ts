import { errorBody } from '#contract/errors.ts'
import { LIVE_PATH, liveMessage, liveQuery } from '#contract/live.ts'
import { refusalsOf } from '#contract/refusals.ts'
import type { Route } from '#contract/route.ts'
import { groups } from './groups.ts'
import { guideText } from './guide.ts'
import { fieldsOf, operationOf, pathOf, type Written } from './operation.ts'
import { byStatus, refusal, refusalName, refusalRefs } from './refused.ts'
import { shapesIn, writeShapes } from './shapes.ts'
import type { Answer, OpenApi, Operation, Schema } from './types.ts'

export interface Described {
  /** What the product is called. */
  readonly name: string
  readonly version: string
  /** The cookies that hold the sessions. */
  readonly cookies: { readonly seller: string; readonly staff: string }
}

/** The whole table of routes as one document; derived, so that it is never behind. */
export function describeApi({ name, version, cookies }: Described): OpenApi {
  const routes = groups.flatMap((group) => Object.values(group.routes))
  const shapes = writeAll(routes)
  const paths = { ...pathsOf(shapes), [LIVE_PATH]: { get: liveOperation(shapes) } }
  const responses = refusalsOfAll(routes)
  return {
    openapi: '3.1.1',
    info: { title: `${name} API`, version, description: guideText() },
    servers: [{ url: '/' }],
    tags: [...groups.map((group) => ({ name: group.name })), { name: LIVE }],
    paths,
    components: {
      securitySchemes: {
        seller: cookie(cookies.seller, 'Set by `login` and `register`'),
        staff: cookie(cookies.staff, 'Set by `adminLogin`'),
      },
      headers,
      responses,
      schemas: shapesOf(paths, responses, shapes),
    },
  }
}

function writeAll(routes: readonly Route[]): Written {
  const sent = routes.flatMap(({ params, query, body }) => [params, query, body])
  const answered = routes.flatMap(({ answers }) => Object.values(answers))
  return {
    sent: writeShapes(
      [...sent, liveQuery].filter((schema) => schema !== undefined),
      'input',
    ),
    answered: writeShapes([...answered, errorBody, liveMessage], 'output'),
  }
}

function pathsOf(shapes: Written): Record<string, Record<string, Operation>> {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const { name: tag, routes } of groups) {
    for (const [id, route] of Object.entries(routes)) {
      const path = pathOf(route)
      const operation = operationOf(id, tag, route, shapes)
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
    }
  }
  return paths
}

const LIVE = 'Live channel'

/** Not one of the table: a socket is no call. */
function liveOperation({ sent, answered }: Written): Operation {
  return {
    operationId: 'live',
    summary:
      'A WebSocket on which the server says what is new. After reconnecting, read again what may have changed. The subprotocol `seller` or `staff` limits it to that session. The text `ping` is answered with a `PONG`; anything else that is sent is ignored',
    tags: [LIVE],
    security: [{ seller: [] }, { staff: [] }, {}],
    parameters: fieldsOf(sent.whole(liveQuery), 'query'),
    responses: {
      101: {
        description: 'The channel is open; each of its messages has this shape',
        content: { 'application/json': { schema: answered.of(liveMessage) } },
      },
      ...refusalRefs(['signed_out', 'cross_site', 'not_found']),
    },
  }
}

function cookie(name: string, description: string) {
  return { type: 'apiKey', in: 'cookie', name, description } as const
}

const headers = {
  'X-Total-Count': { description: 'How many there are on all pages', schema: { type: 'integer' } },
  Link: {
    description: 'The address of the next page, with rel="next"; missing on the last',
    schema: { type: 'string' },
  },
  'Retry-After': { description: 'Seconds to wait', schema: { type: 'integer' } },
} as const

function refusalsOfAll(routes: readonly Route[]): Record<string, Answer> {
  const all = new Map<string, Answer>()
  for (const [, codes] of routes.flatMap((route) => byStatus(refusalsOf(route))))
    all.set(refusalName(codes), refusal(codes))
  return Object.fromEntries([...all].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** The named shapes that are used. */
function shapesOf(
  paths: OpenApi['paths'],
  responses: OpenApi['components']['responses'],
  { sent, answered }: Written,
): Record<string, Schema> {
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  const asked = shapesIn(
    operations.map(({ requestBody }) => requestBody),
    sent.named,
  )
  const told = shapesIn([operations.map((operation) => operation.responses), responses], answered.named)
  // One name is one shape; what is read in another form than it is answered needs two.
  const both = [...asked].filter((name) => told.has(name))
  if (both.length > 0) throw new Error(`Sent and answered under one name: ${both.join(', ')}`)
  const used = [...asked, ...told].sort()
  return Object.fromEntries(used.map((name) => [name, (asked.has(name) ? sent : answered).named[name] ?? {}]))
}
