import { useMutation, useQueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { call } from './call.ts'
import { sessionKey } from './session.ts'

/** @param leave goes to a page that needs no session; waited for, so that no screen asks to sign in again */
export function useSignOut(leave: () => void | Promise<void>) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => call(routes.logout, {}),
    onSuccess: async () => {
      await leave()
      client.setQueryData(sessionKey, null)
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== routes.me.path })
    },
  })
}
