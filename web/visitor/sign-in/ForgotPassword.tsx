import { routes } from '#contract/routes.ts'
import { toastOf, useCallForm } from '#web/forms/use-call-form.ts'
import { Button, TextLink } from '#web/kit/Button.tsx'
import { Form } from '#web/kit/Form.tsx'
import { Notice } from '#web/kit/Notice.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { call } from '#web/wire/call.ts'
import { paths } from '#web/words/paths.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import { SignInPage } from './SignInPage.tsx'

/** Requests a link to set a new password. The response never says whether the account exists. */
export default function ForgotPassword() {
  const t = useWords()
  const { sending, submit, field } = useCallForm({
    schema: () => import('#contract/accounts.ts').then((contract) => contract.passwordLinkRequest),
    start: { email: '' },
    send: (body) => call(routes.forgotPassword, { body }),
    failed: toastOf(t('signIn.forgot.failed'), t('signIn.forgot.failedText')),
  })
  const submitKey = sending.isSuccess ? 'signIn.forgot.sendAgain' : 'signIn.forgot.send'
  return (
    <SignInPage
      title={t('signIn.forgot.title')}
      intro={t('signIn.forgot.intro')}
      other={
        <Rich
          id="signIn.forgot.login"
          tags={{ login: (text) => <TextLink to={paths.login}>{text}</TextLink> }}
        />
      }
    >
      <Form onSubmit={submit}>
        <TextField label={t('signIn.email')} type="email" autoComplete="username" {...field('email')} />
        <Button
          type="submit"
          variant={sending.isSuccess ? 'secondary' : 'primary'}
          size="lg"
          wide
          loading={sending.isPending}
        >
          {t(sending.isPending ? 'signIn.forgot.sending' : submitKey)}
        </Button>
        <div aria-live="polite" className="empty:hidden">
          {sending.isSuccess && (
            <Notice tone="positive" title={sending.data.message}>
              {t('signIn.forgot.sent')}
            </Notice>
          )}
        </div>
      </Form>
    </SignInPage>
  )
}
