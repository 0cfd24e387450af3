import type { ErrorCode } from './errors.ts'
import type { Route } from './route.ts'

/** What any call can be answered, whatever it is. */
export const everywhere: readonly ErrorCode[] = ['busy', 'internal']

/** Every code that a call of the route can be refused with: most of them follow from what the route is. */
export function refusalsOf(route: Route): ErrorCode[] {
  const { access, limit, method, params, query, body, multipart } = route
  return [
    ...(params || query || body ? (['invalid'] as const) : []),
    ...(access === 'anyone' ? [] : (['signed_out'] as const)),
    ...(method === 'GET' ? [] : (['cross_site'] as const)),
    ...(params ? (['not_found'] as const) : []),
    ...(body ? (['too_large', 'unsupported_body'] as const) : []),
    ...(body && !multipart ? (['too_slow'] as const) : []),
    ...(multipart ? (['not_an_image'] as const) : []),
    ...(limit === 'none' ? [] : (['too_many_requests'] as const)),
    ...(route.refuses ?? []),
    ...everywhere,
  ]
}
