import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Administrator } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { call } from '../api/call.ts'
import { forgetEarly } from '../api/early.ts'
import { messageOf } from '../api/errors.ts'
import { isStaffPath } from '../api/read.ts'
import { whoIsSignedIn } from '../api/session.ts'
import { toast } from '../ui/toast.ts'
import { forgetDrafts } from './chat/drafts.ts'

const sessionKey = [routes.adminMe.path]

type StaffSession =
  | { status: 'loading' }
  | { status: 'unreachable' }
  | { status: 'signed-out' }
  | { status: 'signed-in'; admin: Administrator }

/** Which administrator is signed in; an id in the answer is what makes the session. */
export function useStaffSession(): StaffSession {
  const { data, isPending, failureCount } = useQuery(
    whoIsSignedIn(routes.adminMe, (signal) => call(routes.adminMe, { signal })),
  )
  if (isPending) return { status: failureCount > 0 ? 'unreachable' : 'loading' }
  return data?.id ? { status: 'signed-in', admin: data } : { status: 'signed-out' }
}

export function useKeepAdministrator(): (admin: Administrator) => void {
  const client = useQueryClient()
  return (admin) => {
    forgetEarly()
    forgetWhatStaffSaw(client)
    client.setQueryData(sessionKey, admin)
  }
}

export function useStaffSignOut() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(routes.adminLogout, {}),
    onSuccess: () => {
      toast({ title: 'Logged Out', description: 'You have been logged out successfully.' })
      client.setQueryData(sessionKey, null)
      forgetWhatStaffSaw(client)
      forgetDrafts()
    },
    onError: (error) =>
      toast({
        title: 'Logout Failed',
        description: messageOf(error, 'Please try again.'),
        variant: 'destructive',
      }),
  })
}

function forgetWhatStaffSaw(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey: [path] }) => isStaffPath(path) && path !== sessionKey[0] })
}
