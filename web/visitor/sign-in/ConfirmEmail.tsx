import { type UseMutationResult, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { parseDollars, toDollars } from '#domain/money.ts'
import { Button, ButtonLink, TextLink } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { useLocation, useSearchParams } from '#web/kit/router/index.ts'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { call } from '#web/wire/call.ts'
import { ApiError, messageOf } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'
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
  const client = useQueryClient()
  const confirm = useMutation({
    mutationFn: (token: string) => call(routes.confirmEmail, { body: { token } }),
    onSettled: () => client.invalidateQueries({ queryKey: sessionKey }),
  })
  const { user, status } = useSession()
  const isUsed =
    confirm.error instanceof ApiError && confirm.error.errors.some(({ code }) => code === 'confirm_link_used')
  const already = t('signIn.confirm.already')
  if (confirm.isSuccess) return <Confirmed title={t('signIn.confirm.done')} message={confirm.data.message} />
  // By an earlier press of the same link.
  if (isUsed && user?.verified) return <Confirmed title={already} message={already} />
  return (
    <SignInPage
      title={t('signIn.confirm.title')}
      intro={t('signIn.confirm.intro')}
      other={
        status === 'signed-out' && (
          <Rich
            id="signIn.confirm.forgot"
            tags={{ forgot: (text) => <TextLink to={paths.forgotPassword}>{text}</TextLink> }}
          />
        )
      }
    >
      {token ? <ForSeller token={token} confirm={confirm} /> : <IncompleteLink />}
    </SignInPage>
  )
}

/** Works only when signed in to the account, which a stranger may have opened with this address. */
function ForSeller(props: ConfirmProps) {
  const t = useWords()
  const session = useSession()
  const { pathname, search } = useLocation()
  if (session.status === 'loading') return <SkeletonRows rows={1} label={t('signIn.confirm.loading')} />
  if (session.status === 'unreachable') return <Unreachable />
  if (session.status === 'signed-in') return <Confirm {...props} email={session.user.email} />
  return (
    <div className="grid gap-5">
      <p>{t('signIn.confirm.signInFirst')}</p>
      <ButtonLink to={paths.login} size="lg" wide onClick={() => returnAddress.set(pathname + search)}>
        {t('signIn.confirm.signIn')}
      </ButtonLink>
    </div>
  )
}

interface ConfirmProps {
  token: string
  confirm: UseMutationResult<{ message: string }, Error, string>
}

/** Needs a press, because mail scanners open every link. */
function Confirm({ token, confirm, email }: ConfirmProps & { email: string }) {
  const t = useWords()
  return (
    <div className="grid gap-5">
      <p className="wrap-anywhere">{t('signIn.confirm.signedInAs', { email })}</p>
      {confirm.isError && (
        <Notice tone="negative" title={messageOf(confirm.error, t('signIn.confirm.failed'))} urgent />
      )}
      <Button size="lg" wide loading={confirm.isPending} onClick={() => confirm.mutate(token)}>
        {t(confirm.isPending ? 'signIn.confirm.pending' : 'signIn.confirm.submit')}
      </Button>
    </div>
  )
}

function Confirmed({ title, message }: { title: string; message: string }) {
  const t = useWords()
  // Without it, the page only does not name the payouts that waited for this.
  const home = useQuery({ ...read(routes.myHome, {}), refetchOnMount: 'always' })
  const due = (home.data?.underWay.cards ?? []).reduce(
    (sum, { payout }) =>
      payout?.state === 'due' && !payout.waitsUntil ? sum + (parseDollars(payout.amount) ?? 0) : sum,
    0,
  )
  return (
    <SignInPage
      title={title}
      intro={due > 0 ? t('signIn.confirm.payout', { amount: toDollars(due) }) : t('signIn.confirm.intro')}
    >
      <p role="status" className="sr-only">
        {message}
      </p>
      <ButtonLink to={paths.account} size="lg" wide>
        {t('signIn.confirm.cards')}
      </ButtonLink>
    </SignInPage>
  )
}
