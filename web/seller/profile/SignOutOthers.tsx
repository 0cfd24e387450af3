import { useMutation, useQueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { call } from '../../api/call.ts'
import { messageOf } from '../../api/errors.ts'
import { refresh } from '../../api/read.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'

export function SignOutOthers() {
  const client = useQueryClient()
  const end = useMutation({
    mutationFn: () => call(routes.endOtherSessions, {}),
    onSuccess: () => toast({ title: 'Signed Out', description: 'You are signed out everywhere else.' }),
    onError: (error) =>
      toast({
        title: 'Sign out failed',
        description: messageOf(error, 'Please try again.'),
        variant: 'destructive',
      }),
    onSettled: () => refresh(client, routes.mySessions),
  })
  return (
    <Button
      variant="secondary"
      loading={end.isPending}
      onClick={() => end.mutate()}
      className="sm:justify-self-start"
    >
      Sign Out Everywhere Else
    </Button>
  )
}
