import { useMutation, useQueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { Button, ButtonLink, TextLink } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { useLocation, useSearchParams } from '#web/kit/router/index.ts'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { returnAddress } from '#web/wire/return-address.ts'
import { sessionKey, useSession } from '#web/wire/session.ts'
import { Unreachable } from '#web/wire/Unreachable.tsx'
import { paths } from '#web/words/paths.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import { IncompleteLink } from './IncompleteLink.tsx'
import { SignInPage } from './SignInPage.tsx'

/** Opened from the email that confirms a new address. */
export default function ConfirmEmail() {
  const t = useWords()
  const [address] = useSearchParams()
  const token = address.get('token')
  return (
    <SignInPage
      title={t('signIn.confirm.title')}
      intro={t('signIn.confirm.intro')}
      other={
        <Rich
          id="signIn.confirm.forgot"
          tags={{ forgot: (text) => <TextLink to={paths.forgotPassword}>{text}</TextLink> }}
        />
      }
    >
      {token ? <ForSeller token={token} /> : <IncompleteLink />}
    </SignInPage>
  )
}

/** Works only when signed in to the account, which a stranger may have opened with this address. */
function ForSeller({ token }: { token: string }) {
  const t = useWords()
  const session = useSession()
  const { pathname, search } = useLocation()
  if (session.status === 'loading') return <SkeletonRows rows={1} label={t('signIn.confirm.loading')} />
  if (session.status === 'unreachable') return <Unreachable />
  if (session.status === 'signed-in') return <Confirm token={token} email={session.user.email} />
  return (
    <div className="grid gap-5">
      <p>{t('signIn.confirm.signInFirst')}</p>
      <ButtonLink to={paths.login} size="lg" wide onClick={() => returnAddress.set(pathname + search)}>
        {t('signIn.confirm.signIn')}
      </ButtonLink>
    </div>
  )
}

/** Needs a press, because mail scanners open every link. */
function Confirm({ token, email }: { token: string; email: string }) {
  const t = useWords()
  const client = useQueryClient()
  const confirm = useMutation({
    mutationFn: () => call(routes.confirmEmail, { body: { token } }),
    onSettled: () => client.invalidateQueries({ queryKey: sessionKey }),
  })
  if (confirm.isSuccess) {
    return (
      <Notice
        tone="positive"
        title={confirm.data.message}
        urgent
        action={
          <ButtonLink to={paths.getQuote} variant="secondary">
            {t('signIn.confirm.getQuote')}
          </ButtonLink>
        }
      />
    )
  }
  return (
    <div className="grid gap-5">
      <p className="wrap-anywhere">{t('signIn.confirm.signedInAs', { email })}</p>
      {confirm.isError && (
        <Notice tone="negative" title={messageOf(confirm.error, t('signIn.confirm.failed'))} urgent />
      )}
      <Button size="lg" wide loading={confirm.isPending} onClick={() => confirm.mutate()}>
        {t(confirm.isPending ? 'signIn.confirm.pending' : 'signIn.confirm.submit')}
      </Button>
    </div>
  )
}
