import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import type { adminSignIn } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { useKeepAdministrator } from '../session.ts'

export type Credentials = z.input<typeof adminSignIn>

/** Signs in by password, and by a code if the second factor is on. */
export function useSignIn() {
  const keepAdministrator = useKeepAdministrator()
  /** Credentials that the server accepted, but that still need a code. */
  const [passed, setPassed] = useState<Credentials>()

  const login = useMutation({
    mutationFn: (body: Credentials) => call(routes.adminLogin, { body }),
    onSuccess: (admin) => {
      toast({ title: 'Login Successful', description: 'Welcome to the admin dashboard.' })
      keepAdministrator(admin)
    },
    onError: (error, body) => {
      if (hasCode(error, 'totp_required')) return setPassed(body)
      // The password may have changed since the first step.
      if (hasCode(error, 'invalid_credentials')) setPassed(undefined)
      toast({ title: 'Login Failed', description: reasonOf(error), variant: 'destructive' })
    },
  })

  return {
    login,
    passed,
    startAgain() {
      setPassed(undefined)
      login.reset()
    },
  }
}

/** Signs in by a link from the command line, and by a code if the second factor is on. */
export function useLinkSignIn(token: string) {
  const keepAdministrator = useKeepAdministrator()
  const [wantsCode, setWantsCode] = useState(false)
  const login = useMutation({
    mutationFn: (code: string | undefined) =>
      call(routes.adminLinkLogin, { body: { token, ...(code !== undefined && { code }) } }),
    onSuccess: (admin) => {
      toast({ title: 'Login Successful', description: 'Welcome to the admin dashboard.' })
      keepAdministrator(admin)
    },
    onError: (error) => {
      if (hasCode(error, 'totp_required')) return setWantsCode(true)
      toast({ title: 'Login Failed', description: reasonOf(error), variant: 'destructive' })
    },
  })
  return {
    login,
    wantsCode,
    startAgain() {
      setWantsCode(false)
      login.reset()
    },
  }
}

function reasonOf(error: Error): string {
  const refused = error instanceof ApiError && error.status === 401
  return messageOf(
    error,
    refused ? 'Invalid admin credentials' : 'Login failed. Please check your credentials.',
  )
}

function hasCode(error: Error, code: string): boolean {
  return error instanceof ApiError && error.code === code
}
