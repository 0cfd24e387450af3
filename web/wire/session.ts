import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import type { User } from '#contract/accounts.ts'
import type { Route } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { call } from './call.ts'
import { ApiError, offline } from './errors.ts'

const FIVE_MINUTES = 300_000
export const sessionKey = [routes.me.path]

export type Session =
  | { status: 'loading'; user?: undefined }
  /** The server has not answered, and is asked again. */
  | { status: 'unreachable'; user?: undefined }
  | { status: 'signed-out'; user?: undefined }
  | { status: 'signed-in'; user: User }

/** Milliseconds until an answer counts as missing, and between two attempts at most. */
const ANSWER_WITHIN = 15_000
const LONGEST_PAUSE = 15_000

/** Who is signed in by the session that a route tells about. Only a 401 means nobody: no answer is asked for again. */
export function whoIsSignedIn<Who>(me: Route, ask: (signal: AbortSignal) => Promise<Who>) {
  return queryOptions({
    queryKey: [me.path],
    queryFn: async ({ signal }): Promise<Who | null> => {
      try {
        return await inTime(ask(signal))
      } catch (error) {
        if (error instanceof ApiError && error.status === 401) return null
        throw error
      }
    },
    staleTime: FIVE_MINUTES,
    retry: true,
    retryDelay: (failures) => Math.min(1000 * 2 ** failures, LONGEST_PAUSE),
  })
}

function inTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(offline()), ANSWER_WITHIN)
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

/** Asks who is signed in at once, where the last attempt failed. */
export async function askWhoAgain(client: QueryClient): Promise<void> {
  const failed = client
    .getQueryCache()
    .findAll()
    .filter(({ queryKey: [path], state }) => isWho(path) && state.fetchFailureCount > 0)
  for (const { queryKey } of failed) {
    await client.cancelQueries({ queryKey })
    void client.refetchQueries({ queryKey })
  }
}

function isWho(path: unknown): boolean {
  return path === routes.me.path || path === routes.adminMe.path
}

export function useSession(): Session {
  const { data, isPending, failureCount } = useQuery(
    whoIsSignedIn(routes.me, async (signal) => (await call(routes.me, { signal })).user),
  )
  if (isPending) return { status: failureCount > 0 ? 'unreachable' : 'loading' }
  return data ? { status: 'signed-in', user: data } : { status: 'signed-out' }
}

/** Keeps the user that a sign-in or a registration answered with, and nothing of anybody before. */
export function useKeepUser(): (user: User) => void {
  const client = useQueryClient()
  return (user) => {
    client.removeQueries({
      predicate: ({ queryKey: [path] }) => !isEverybodys(path) && path !== sessionKey[0],
    })
    client.setQueryData(sessionKey, user)
  }
}

/** The catalogue belongs to nobody, and a quote that was made of it before signing in goes on after it. */
function isEverybodys(path: unknown): boolean {
  return path === routes.brands.path
}
