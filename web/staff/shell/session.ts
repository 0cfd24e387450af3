import { useMutation } from '@tanstack/react-query'
import type { Administrator } from '#contract/administrators.ts'
import { routes } from '#contract/routes.ts'
import { createStoredText } from '#web/kit/store.ts'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { isStaffPath } from '#web/wire/read.ts'
import { createSession } from '#web/wire/session.ts'
import { forgetDrafts } from './drafts.ts'

const { useSession: useStaffSession, useSetSession } = createSession<Administrator>({
  me: routes.adminMe,
  ask: (signal) => call(routes.adminMe, { signal }),
  isPrivate: isStaffPath,
})

export { useStaffSession }

export const useKeepAdministrator: () => (admin: Administrator) => void = useSetSession

export function useStaffSignOut() {
  const setSession = useSetSession()
  return useMutation({
    mutationFn: () => call(routes.adminLogout, {}),
    onSuccess: () => {
      toast({ title: 'Logged Out', description: 'You have been logged out successfully.' })
      openSession.set(null)
      setSession(null)
      forgetDrafts()
    },
    onError: toastFailure('Logout Failed', 'Please try again.'),
  })
}

/** Set while an administrator is signed in in this tab. After a reload, the sign-in screen can say that the session ended. */
const openSession = createStoredText('sessionStorage', 'staff-session')

export function rememberSession(): void {
  openSession.set('open')
}

/** An administrator was signed in in this tab and did not log out. */
export function sessionHasEnded(): boolean {
  return openSession.get() !== null
}
