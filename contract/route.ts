import type { z } from 'zod'
import { type Capability, personalCapabilities } from '#domain/roles.ts'
import type { ErrorCode } from './errors.ts'

/** Who may call a route: a capability means staff whose role has it. The server refuses all others before the handler runs. */
export type Access = 'anyone' | 'seller' | Capability

export interface CallLimit {
  /** Calls allowed per client (the signed-in person or API token, or else the address)… */
  readonly points: number
  /** …within this many seconds. */
  readonly seconds: number
}

/** Rate limits per bucket. Each route names the bucket its calls count against. */
export const callLimits = {
  read: { points: 1200, seconds: 60 },
  write: { points: 300, seconds: 60 },
  signIn: { points: 20, seconds: 15 * 60 },
  adminSignIn: { points: 10, seconds: 15 * 60 },
  register: { points: 20, seconds: 60 * 60 },
  /** Changes that send a security email. */
  account: { points: 30, seconds: 60 * 60 },
  /** Downloads of everything about a seller. Each is many reads and sends a security email. */
  export: { points: 5, seconds: 24 * 60 * 60 },
  forgotPassword: { points: 10, seconds: 60 * 60 },
  confirmEmail: { points: 5, seconds: 60 * 60 },
  submit: { points: 60, seconds: 60 * 60 },
  // A fast reviewer decides on 300 cards an hour: one reveal, one look at the photos and two downloads each make 1,200.
  reveal: { points: 2000, seconds: 60 * 60 },
  contact: { points: 10, seconds: 60 * 60 },
  chat: { points: 60, seconds: 60 },
  /** Readiness checks of a load balancer. */
  probe: { points: 600, seconds: 60 },
} satisfies Record<string, CallLimit>
export type LimitName = keyof typeof callLimits | 'none'

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Parameters are written `:name`. A final `*` matches the rest of the path. */
  readonly path: string
  readonly summary: string
  readonly access: Access
  readonly limit: LimitName
  /** With REQUIRE_TOTP, staff without a second factor may call this route, and no other. */
  readonly withoutSecondFactor?: true
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  /** The JSON body, or with `multipart` the fields sent along with the files. */
  readonly body?: z.ZodType
  readonly multipart?: true | 'or_json'
  /** Takes one photo as `photo` instead of several as `images`. */
  readonly photo?: true
  /** Takes at most this many photos. The default is MAX_PHOTOS. */
  readonly maxPhotos?: number
  /** Takes one text file as `file` instead of photos. */
  readonly textFile?: true
  /** Accepts an `Idempotency-Key` header: a repeated key gets the first result again. */
  readonly idempotencyKey?: true
  /** The successful answers by status. */
  readonly answers: Readonly<Record<number, z.ZodType>>
  /** The route answers with a file of this type instead of JSON. */
  readonly file?: string
  /** The columns of a CSV file, or of each kind of file. */
  readonly columns?: readonly string[] | Readonly<Record<string, readonly string[]>>
  /** Refusals that `refusalsOf` cannot derive from the fields above. */
  readonly refuses?: readonly ErrorCode[]
}

/** Keeps the literal types of a route. The note lets the bundler drop routes declared next to a schema it needs. */
// @__NO_SIDE_EFFECTS__
export function route<const R extends Route>(description: R): R {
  return description
}

/** Every code that a call of the route can be refused with. Most follow from the route's description. */
export function refusalsOf(route: Route): ErrorCode[] {
  const { access, limit, method, withoutSecondFactor, params, query, body, multipart, textFile } = route
  const isForStaff = access !== 'anyone' && access !== 'seller'
  return [
    ...(params || query || body ? (['invalid'] as const) : []),
    ...(access === 'anyone' ? [] : (['signed_out'] as const)),
    ...(isForStaff ? (['token_invalid'] as const) : []),
    ...(isForStaff && access !== 'use_account' ? (['not_permitted'] as const) : []),
    ...(isForStaff && personalCapabilities.includes(access) ? (['person_required'] as const) : []),
    ...(isForStaff && !withoutSecondFactor ? (['totp_setup_required'] as const) : []),
    ...(method === 'GET' ? [] : (['cross_site'] as const)),
    ...(params ? (['not_found'] as const) : []),
    ...(body ? (['too_large', 'unsupported_body'] as const) : []),
    ...(body && multipart !== true ? (['too_slow'] as const) : []),
    ...(multipart && !textFile ? (['not_an_image'] as const) : []),
    ...(limit === 'none' ? [] : (['too_many_requests'] as const)),
    ...(route.refuses ?? []),
    'busy',
    'internal',
  ]
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined
type Input<S> = S extends z.ZodType ? z.input<S> : undefined

/** What a handler gets from a request. */
export type Params<R extends Route> = Output<R['params']>
export type Query<R extends Route> = Output<R['query']>
export type Body<R extends Route> = Output<R['body']>
/** What a caller sends. */
export type BodyInput<R extends Route> = Input<R['body']>
export type QueryInput<R extends Route> = Input<R['query']>
export type ParamsInput<R extends Route> = Input<R['params']>
/** What a caller gets. */
export type Answer<R extends Route> = z.input<R['answers'][keyof R['answers']]>
