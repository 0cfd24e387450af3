import { useMutation, useQueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { useSearchParams } from '#web/kit/router/index.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { sessionKey } from '#web/wire/session.ts'
import { paths } from '#web/words/paths.ts'
import { SignInPage } from './SignInPage.tsx'

/** Where the mail to an address leads that an account has left: takes it back. */
export default function RestoreEmail() {
  const [address] = useSearchParams()
  const token = address.get('token')
  return (
    <SignInPage
      title="Take your email back"
      bare={!token}
      intro="Was the email of your account changed, and not by you?"
      other={
        <>
          Something else? <TextLink to={paths.contact}>Contact support</TextLink>
        </>
      }
    >
      {token ? (
        <TakeBack token={token} />
      ) : (
        <Notice tone="negative" title="The link is incomplete." urgent>
          Please open it from the mail once more, or copy all of it.
        </Notice>
      )}
    </SignInPage>
  )
}

/** By a press, and not by opening the page: programs that look through mails open every link in them. */
function TakeBack({ token }: { token: string }) {
  const client = useQueryClient()
  const restore = useMutation({
    mutationFn: () => call(routes.restoreEmail, { body: { token } }),
    onSuccess: () => client.setQueryData(sessionKey, null),
  })
  if (restore.isSuccess) return <Notice tone="positive" title={restore.data.message} urgent />
  return (
    <div className="grid gap-5">
      <p>
        Your account gets this email address again, everybody is signed out, and the password no longer works.
        We mail you a link that sets a new one.
      </p>
      {restore.isError && (
        <Notice
          tone="negative"
          title={messageOf(restore.error, 'Your email could not be taken back. Please try again.')}
          urgent
        />
      )}
      <Button size="lg" wide loading={restore.isPending} onClick={() => restore.mutate()}>
        {restore.isPending ? 'Taking It Back...' : 'Take It Back'}
      </Button>
    </div>
  )
}
