import { useMutation } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { Button } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'

/** Shown until the address is confirmed; the link can be mailed again. */
export function ConfirmEmailNotice({ email }: { email: string }) {
  const sending = useMutation({
    mutationFn: () => call(routes.sendConfirmation, {}),
    onSuccess: () => toast({ title: 'Link Sent', description: `Please look into the mailbox of ${email}.` }),
    onError: (error) =>
      toast({
        title: 'Error',
        description: messageOf(error, 'The link could not be sent. Please try again.'),
        variant: 'destructive',
      }),
  })
  return (
    <Notice
      title="Please confirm your e-mail"
      action={
        <Button variant="secondary" size="sm" loading={sending.isPending} onClick={() => sending.mutate()}>
          {sending.isPending ? 'Sending...' : 'Send the link again'}
        </Button>
      }
    >
      <span className="wrap-anywhere">We mailed a link to {email}.</span> You can sell cards meanwhile. If you
      set a new password before you confirm it, your saved payment methods are removed.
    </Notice>
  )
}
