import { useMutation, useQueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { useSearchParams } from '#web/kit/router/index.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { sessionKey } from '#web/wire/session.ts'
import { paths } from '#web/words/paths.ts'
import { IncompleteLink, SignInPage } from './SignInPage.tsx'

/** Opened from the email that an account's old address gets after a change. */
export default function RestoreEmail() {
  const [address] = useSearchParams()
  const token = address.get('token')
  return (
    <SignInPage
      title="Restore your email"
      bare={!token}
      intro="Did someone else change the email of your account?"
      other={
        <>
          Something else? <TextLink to={paths.contact}>Contact support</TextLink>
        </>
      }
    >
      {token ? <Restore token={token} /> : <IncompleteLink />}
    </SignInPage>
  )
}

/** Needs a press, because mail scanners open every link. */
function Restore({ token }: { token: string }) {
  const client = useQueryClient()
  const restore = useMutation({
    mutationFn: () => call(routes.restoreEmail, { body: { token } }),
    onSuccess: () => client.setQueryData(sessionKey, null),
  })
  if (restore.isSuccess) return <Notice tone="positive" title={restore.data.message} urgent />
  return (
    <div className="grid gap-5">
      <p>
        This puts this email address back on your account, signs out every browser and disables the password.
        We then email you a link to set a new one.
      </p>
      {restore.isError && (
        <Notice
          tone="negative"
          title={messageOf(restore.error, 'Your email could not be restored. Please try again.')}
          urgent
        />
      )}
      <Button size="lg" wide loading={restore.isPending} onClick={() => restore.mutate()}>
        {restore.isPending ? 'Restoring...' : 'Restore Email'}
      </Button>
    </div>
  )
}
