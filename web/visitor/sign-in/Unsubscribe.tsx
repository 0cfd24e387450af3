import { useMutation } from '@tanstack/react-query'
import { routes } from '#contract/routes.ts'
import { type NotificationKind, notificationKinds } from '#domain/notifications.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { useSearchParams } from '#web/kit/router/index.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import { IncompleteLink } from './IncompleteLink.tsx'
import { SignInPage } from './SignInPage.tsx'

/** Opened from the footer of an email to a seller. */
export default function Unsubscribe() {
  const t = useWords()
  const [address] = useSearchParams()
  const token = address.get('token') ?? ''
  // Only for the text. The server checks the whole token.
  const kind = notificationKinds.find((name) => name === token.split('.')[1])
  return (
    <SignInPage
      title={t('unsubscribe.title')}
      intro={t('unsubscribe.intro')}
      other={
        <Rich
          id="unsubscribe.settings"
          tags={{ settings: (text) => <TextLink to="/account/notifications">{text}</TextLink> }}
        />
      }
    >
      {kind ? <Stop token={token} kind={kind} /> : <IncompleteLink />}
    </SignInPage>
  )
}

/** Needs a press, because mail scanners open every link. */
function Stop({ token, kind }: { token: string; kind: NotificationKind }) {
  const t = useWords()
  const stop = useMutation({ mutationFn: () => call(routes.unsubscribe, { query: { token } }) })
  if (stop.isSuccess) {
    return (
      <Notice tone="positive" title={t(`unsubscribe.done.${kind}`)} urgent>
        {t('unsubscribe.stillMailed')}
      </Notice>
    )
  }
  return (
    <div className="grid gap-5">
      <p>{t(`unsubscribe.text.${kind}`)}</p>
      {stop.isError && (
        <Notice tone="negative" title={messageOf(stop.error, t('unsubscribe.failed'))} urgent />
      )}
      <Button size="lg" wide loading={stop.isPending} onClick={() => stop.mutate()}>
        {t(stop.isPending ? 'unsubscribe.pending' : 'unsubscribe.submit')}
      </Button>
    </div>
  )
}
