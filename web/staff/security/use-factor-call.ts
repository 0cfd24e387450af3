import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { Answer, Route } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { toast } from '#web/kit/toast.ts'
import { type CallOptions, call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'

/** A call about the own second factor; how that stands is fetched anew after it, whether it went well or not. */
export function useFactorCall<R extends Route>(
  route: R,
  { failure, onDone }: { failure: string; onDone: (answer: Answer<R>) => void },
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (options: CallOptions<R>) => call(route, options),
    onSuccess: onDone,
    onError: (error) =>
      toast({
        title: failure,
        description: messageOf(error, 'Please try again.'),
        variant: 'destructive',
      }),
    onSettled: () => refresh(client, routes.secondFactor, routes.auditLog),
  })
}
