import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Answer, Route } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { type CallOptions, call } from '#web/wire/call.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'

/** A call that changes the second factor. Refetches its state, also after a failure. */
export function useFactorCall<R extends Route>(
  route: R,
  failure: string,
  onDone: (answer: Answer<R>) => void,
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (options: CallOptions<R>) => call(route, options),
    onSuccess: onDone,
    onError: toastFailure(failure, 'Please try again.'),
    onSettled: () => refresh(client, routes.secondFactor, routes.adminMe, routes.auditLog),
  })
}
