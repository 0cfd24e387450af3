import { useMutation, useQueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { call } from '../../api/call.ts'
import { messageOf } from '../../api/errors.ts'
import { sessionKey } from '../../api/session.ts'
import { paths } from '../../paths.ts'
import { useSearchParams } from '../../router/index.ts'
import { Button, ButtonLink, TextLink } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { SignInPage } from './SignInPage.tsx'

/** Where the mail about a new address leads: confirms it. */
export default function ConfirmEmail() {
  const [address] = useSearchParams()
  const token = address.get('token')
  return (
    <SignInPage
      title="Confirm your e-mail"
      bare={!token}
      intro="We write to this address about your cards and your payments."
      other={
        <>
          You did not create an account? <TextLink to={paths.contact}>Contact support</TextLink>
        </>
      }
    >
      {token ? (
        <Confirm token={token} />
      ) : (
        <Notice tone="negative" title="The link is incomplete." urgent>
          Please open it from the mail again, or copy all of it.
        </Notice>
      )}
    </SignInPage>
  )
}

/** By a press, and not by opening the page: mail scanners open every link. */
function Confirm({ token }: { token: string }) {
  const client = useQueryClient()
  const confirm = useMutation({
    mutationFn: () => call(routes.confirmEmail, { body: { token } }),
    onSuccess: () => client.invalidateQueries({ queryKey: sessionKey }),
  })
  if (confirm.isSuccess) {
    return (
      <Notice
        tone="positive"
        title={confirm.data.message}
        urgent
        action={
          <ButtonLink to={paths.getQuote} variant="secondary">
            Get a quote
          </ButtonLink>
        }
      />
    )
  }
  return (
    <div className="grid gap-5">
      {confirm.isError && (
        <Notice
          tone="negative"
          title={messageOf(confirm.error, 'Your e-mail could not be confirmed. Please try again.')}
          urgent
        />
      )}
      <Button size="lg" wide loading={confirm.isPending} onClick={() => confirm.mutate()}>
        {confirm.isPending ? 'Confirming...' : 'Confirm E-Mail'}
      </Button>
    </div>
  )
}
