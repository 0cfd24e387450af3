import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query'
import type { SIGNED_IN_COOKIE, User } from '#contract/accounts.ts'
import type { Route } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { call, forgetEarly } from './call.ts'
import { ApiError, offline } from './errors.ts'

export type Session<Who> =
  | { status: 'loading'; user?: undefined }
  /** The server has not answered. The app keeps trying. */
  | { status: 'unreachable'; user?: undefined }
  | { status: 'signed-out'; user?: undefined }
  | { status: 'signed-in'; user: Who }

interface SessionOptions<Who> {
  /** The route that says who is signed in. Its path is the key of the session's query. */
  me: Route
  ask: (signal: AbortSignal) => Promise<Who | null>
  /** Whether the answers at this path must not be seen by the next person who signs in. */
  isPrivate: (path: unknown) => boolean
}

const STALE_MS = 300_000
const MAX_RETRY_DELAY_MS = 15_000

/** The hooks of one kind of session: a seller's or an administrator's. */
export function createSession<Who extends object>({ me, ask, isPrivate }: SessionOptions<Who>) {
  const queryKey = [me.path]

  function useSession(): Session<Who> {
    const { data, isPending, failureCount } = useQuery<Who | null>({
      queryKey,
      queryFn: ({ signal }) => inTime(ask(signal)).catch(nobodyIfUnauthorized),
      staleTime: STALE_MS,
      retry: true,
      retryDelay: (failures) => Math.min(1000 * 2 ** failures, MAX_RETRY_DELAY_MS),
    })
    if (isPending) return { status: failureCount > 0 ? 'unreachable' : 'loading' }
    return data ? { status: 'signed-in', user: data } : { status: 'signed-out' }
  }

  /** Stores who has signed in, or null, and drops what was fetched for the previous user. */
  function useSetSession(): (who: Who | null) => void {
    const client = useQueryClient()
    return (who) => {
      forgetEarly()
      client.setQueryData(queryKey, who)
      client.removeQueries({ predicate: ({ queryKey: [path] }) => path !== me.path && isPrivate(path) })
    }
  }

  return { useSession, useSetSession }
}

/** Milliseconds until the server counts as unreachable. */
const ANSWER_WITHIN_MS = 15_000

function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(offline()), ANSWER_WITHIN_MS)
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

/** Only a 401 means signed out. After any other failure the app tries again. */
function nobodyIfUnauthorized(error: unknown): null {
  if (error instanceof ApiError && error.status === 401) return null
  throw error
}

export const sessionKey = [routes.me.path]

// Only its type comes from the contract: importing the value would add zod to every page.
const SIGNED_IN: typeof SIGNED_IN_COOKIE = 'unspent_signed_in'

export const { useSession, useSetSession } = createSession<User>({
  me: routes.me,
  // Browsers log the 401 that a visitor would get as an error.
  ask: async (signal) =>
    document.cookie.includes(`${SIGNED_IN}=`)
      ? (await call(routes.me, { signal }).catch(forgetIfUnauthorized)).user
      : null,
  // The catalog is the same for everyone, and a quote made from it before signing in must not change.
  isPrivate: (path) => path !== routes.brands.path,
})

/** The session has ended, so its language must not decide any more. */
function forgetIfUnauthorized(error: unknown): never {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API needs https
  if (error instanceof ApiError && error.status === 401) document.cookie = `${SIGNED_IN}=; Max-Age=0; Path=/`
  throw error
}

/** If the last attempt to find out who is signed in failed, tries again immediately. */
export async function refetchSession(client: QueryClient): Promise<void> {
  for (const { path } of [routes.me, routes.adminMe]) {
    const queryKey = [path]
    if (!client.getQueryState(queryKey)?.fetchFailureCount) continue
    await client.cancelQueries({ queryKey })
    void client.refetchQueries({ queryKey })
  }
}
