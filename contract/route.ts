import type { z } from 'zod'
import type { ErrorCode } from './errors.ts'

/** Who may call a route; the server refuses everybody else before the handler runs. */
export type Access = 'anyone' | 'seller' | 'staff'

/** Which bucket of calls a route counts against; the sizes are the server's. */
export type LimitName =
  | 'none'
  /** Asks whether the server is ready, as a load balancer does. */
  | 'probe'
  | 'read'
  | 'write'
  | 'signIn'
  | 'adminSignIn'
  | 'register'
  /** Changes that somebody is mailed about. */
  | 'account'
  | 'forgotPassword'
  | 'confirmEmail'
  | 'submit'
  | 'reveal'
  | 'contact'
  | 'chat'

export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `:name` for parameters; a last `*` takes the rest of the path. */
  readonly path: string
  readonly summary: string
  readonly access: Access
  readonly limit: LimitName
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  /** The JSON body, or with `multipart` the fields beside the files. */
  readonly body?: z.ZodType
  readonly multipart?: true
  /** Takes the header `Idempotency-Key`: sent again with the same one, it is answered the first result. */
  readonly idempotencyKey?: true
  /** The successful answers by status. */
  readonly answers: Readonly<Record<number, z.ZodType>>
  /** Answers a file of this type and not JSON. */
  readonly file?: string
  /** What it refuses beside what follows from all the above; `contract/refusals.ts` has the whole list. */
  readonly refuses?: readonly ErrorCode[]
}

/** Keeps the literal types of a route. The note lets the bundler drop the routes beside a schema that a form imports. */
// @__NO_SIDE_EFFECTS__
export function route<const R extends Route>(description: R): R {
  return description
}

type Output<S> = S extends z.ZodType ? z.output<S> : undefined
type Input<S> = S extends z.ZodType ? z.input<S> : undefined

/** What a handler reads of a request. */
export type Params<R extends Route> = Output<R['params']>
export type Query<R extends Route> = Output<R['query']>
export type Body<R extends Route> = Output<R['body']>
/** What a caller sends. */
export type BodyInput<R extends Route> = Input<R['body']>
export type QueryInput<R extends Route> = Input<R['query']>
export type ParamsInput<R extends Route> = Input<R['params']>
/** What a caller gets. */
export type Answer<R extends Route> = z.output<R['answers'][keyof R['answers']]>
