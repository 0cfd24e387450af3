import { type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Administrator } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { createStoredText } from '#web/kit/store.ts'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { forgetEarly } from '#web/wire/early.ts'
import { messageOf } from '#web/wire/errors.ts'
import { isStaffPath } from '#web/wire/read.ts'
import { whoIsSignedIn } from '#web/wire/session.ts'
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
      openSession.set(null)
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

/** Set while staff are signed in in this tab. A reload keeps it, so the sign-in page can say why it is back. */
const openSession = createStoredText('sessionStorage', 'staff-session')

export function rememberSession(): void {
  openSession.set('open')
}

/** Whether staff were signed in in this tab and did not log out. */
export function sessionHasEnded(): boolean {
  return openSession.get() !== null
}

function forgetWhatStaffSaw(client: QueryClient): void {
  client.removeQueries({ predicate: ({ queryKey: [path] }) => isStaffPath(path) && path !== sessionKey[0] })
}
