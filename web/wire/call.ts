import type { UNATTENDED_HEADER } from '#contract/accounts.ts'
import type { Answer, BodyInput, ParamsInput, QueryInput, Route } from '#contract/route.ts'
import { translate } from '#web/words/words.ts'
import { isUnattended } from './attention.ts'
import { offline, readError } from './errors.ts'
import { noteServerTime } from './server-clock.ts'

// Only its type comes from the contract: importing the value would add zod to every page.
const unattendedHeader: typeof UNATTENDED_HEADER = 'x-unattended'

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { readonly [K in Name]?: undefined }
  : { readonly [K in Name]: Value }

/** What a call of this route needs. */
export type CallOptions<R extends Route> = Part<'params', ParamsInput<R>> &
  (R['query'] extends object ? { readonly query?: QueryInput<R> } : { readonly query?: undefined }) &
  (R extends { multipart: true } ? { readonly body?: undefined } : Part<'body', BodyInput<R>>) & {
    readonly signal?: AbortSignal
  }

/** What a call may have, whatever its route needs. */
export interface Loose {
  params?: unknown
  query?: unknown
  body?: unknown
  signal?: AbortSignal
}

/** Calls a route of the contract. @throws ApiError */
export async function call<R extends Route>(route: R, options: CallOptions<R>): Promise<Answer<R>> {
  const response = await send(route, options)
  return (response.status === 204 ? null : await response.json()) as Answer<R>
}

/** Calls a route. @throws ApiError */
export async function send(route: Route, { params, query, body, signal }: Loose): Promise<Response> {
  const address = addressOf(route, params, query)
  const answer =
    (route.method === 'GET' && takeEarly(address)) ||
    fetch(address, {
      method: route.method,
      credentials: 'same-origin',
      headers: {
        'accept-language': translate().locale,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(isUnattended() && { [unattendedHeader]: '1' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    })
  const response = await answer.catch((error: unknown) => {
    if (signal?.aborted) throw error
    throw offline()
  })
  noteServerTime(response.headers)
  if (!response.ok) throw readError(route, response.status, await response.text())
  return response
}

/** Answers that a script of app/early asked for before the app was loaded, by address. */
const early = (globalThis as { unspentEarly?: Map<string, Promise<Response>> }).unspentEarly

/** The early answer to this address, once. */
function takeEarly(address: string): Promise<Response> | undefined {
  const answer = early?.get(address)
  early?.delete(address)
  return answer
}

/** Drops the early answers, which belong to the previous session. */
export function forgetEarly(): void {
  early?.clear()
}

/** The address of a route with its parameters and query. */
export function addressOf(route: Route, params?: unknown, query?: unknown): string {
  const values = (params ?? {}) as Record<string, string>
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const given = Object.entries(query ?? {}).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
  return search ? `${path}?${search}` : path
}
