import { useMutation } from '@tanstack/react-query'
import type { User } from '#contract/accounts.ts'
import { routes } from '#contract/routes.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { paths } from '#web/words/paths.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'

/** Shown until the email address is confirmed. Says so if payouts wait for it, above all one that is approved. */
export function ConfirmEmailNotice({
  user,
  approved = false,
  rejected = false,
  inProfile = false,
  quiet = false,
}: ConfirmEmailNoticeProps) {
  const t = useWords()
  const { email } = user
  const mustConfirmEmail = user.mustConfirmEmail && !rejected
  const title = approved ? 'profile.confirm.approved' : 'profile.confirm.toBePaid'
  const sending = useMutation({
    mutationFn: () => call(routes.sendConfirmation, {}),
    onSuccess: () =>
      toast({ title: t('profile.confirm.sent'), description: t('profile.confirm.sentText', { email }) }),
    onError: (error) =>
      toast({
        title: t('profile.confirm.failed'),
        description: messageOf(error, t('profile.confirm.failedText')),
        variant: 'destructive',
      }),
  })
  return (
    <Notice
      tone={mustConfirmEmail && !quiet ? 'caution' : 'info'}
      title={t(mustConfirmEmail ? title : 'profile.confirm.title')}
      action={
        <Button variant="secondary" size="sm" loading={sending.isPending} onClick={() => sending.mutate()}>
          {t(sending.isPending ? 'profile.confirm.sending' : 'profile.confirm.send')}
        </Button>
      }
    >
      <Rich
        id="profile.confirm.text"
        values={{ email }}
        tags={{
          sent: (text) => <span className="wrap-anywhere">{text}</span>,
          change: (text) => !inProfile && <TextLink to={paths.profile}>{text}</TextLink>,
        }}
      />
    </Notice>
  )
}

interface ConfirmEmailNoticeProps {
  user: User
  /** Whether an approved payout waits for it. */
  approved?: boolean
  /** Whether nothing will be paid, whatever is confirmed. */
  rejected?: boolean
  /** Beside the form that changes the address. */
  inProfile?: boolean
  /** Beside something more urgent. */
  quiet?: boolean
}
