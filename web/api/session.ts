import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { User } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { call } from './call.ts'
import { ApiError } from './errors.ts'

const FIVE_MINUTES = 300_000
export const sessionKey = [routes.me.path]

export type Session =
  | { status: 'loading'; user?: undefined }
  | { status: 'signed-out'; user?: undefined }
  | { status: 'signed-in'; user: User }

async function currentUser(signal: AbortSignal): Promise<User | null> {
  try {
    return (await call(routes.me, { signal })).user
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) return null
    throw error
  }
}

/** Who is signed in; a server that can't be reached counts as signed out. */
export function useSession(): Session {
  const { data, isPending } = useQuery({
    queryKey: sessionKey,
    queryFn: ({ signal }) => currentUser(signal),
    staleTime: FIVE_MINUTES,
  })
  if (isPending) return { status: 'loading' }
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
