import { useMutation, useQueryClient } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { useSearchParams } from '#web/kit/router/index.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { sessionKey } from '#web/wire/session.ts'
import { paths } from '#web/words/paths.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import { IncompleteLink } from './IncompleteLink.tsx'
import { SignInPage } from './SignInPage.tsx'

/** Opened from the email that an account's old address gets after a change. */
export default function RestoreEmail() {
  const t = useWords()
  const [address] = useSearchParams()
  const token = address.get('token')
  return (
    <SignInPage
      title={t('signIn.restore.title')}
      intro={t('signIn.restore.intro')}
      other={
        <Rich
          id="signIn.restore.contact"
          tags={{ contact: (text) => <TextLink to={paths.contact}>{text}</TextLink> }}
        />
      }
    >
      {token ? <Restore token={token} /> : <IncompleteLink />}
    </SignInPage>
  )
}

/** Needs a press, because mail scanners open every link. */
function Restore({ token }: { token: string }) {
  const t = useWords()
  const client = useQueryClient()
  const restore = useMutation({
    mutationFn: () => call(routes.restoreEmail, { body: { token } }),
    onSuccess: () => client.setQueryData(sessionKey, null),
  })
  if (restore.isSuccess) return <Notice tone="positive" title={restore.data.message} urgent />
  return (
    <div className="grid gap-5">
      <p>{t('signIn.restore.text')}</p>
      {restore.isError && (
        <Notice tone="negative" title={messageOf(restore.error, t('signIn.restore.failed'))} urgent />
      )}
      <Button size="lg" wide loading={restore.isPending} onClick={() => restore.mutate()}>
        {t(restore.isPending ? 'signIn.restore.pending' : 'signIn.restore.submit')}
      </Button>
    </div>
  )
}
