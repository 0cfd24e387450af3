import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answer } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { passwordAndCode, passwordOnly } from '#contract/second-factor.ts'
import { AppSetup } from '#web/credentials/AppSetup.tsx'
import { Form, FormActions } from '#web/kit/Form.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'
import { toastOf, useCallForm } from '#web/wire/use-call-form.ts'
import { useWords } from '#web/words/words.ts'

export { RecoveryCodes } from '#web/credentials/RecoveryCodes.tsx'

/** Asks for the password, shows the secret for the app, and checks a code. */
export function SetUp({ onConfirmed, onCancel }: SetUpProps) {
  const t = useWords()
  const client = useQueryClient()
  const [secret, setSecret] = useState<Answer<typeof routes.startSellerSecondFactor>>()
  const start = useCallForm({
    schema: passwordOnly,
    start: { password: '' },
    send: (body) => call(routes.startSellerSecondFactor, { body }),
    onDone: setSecret,
    failed: toastOf(t('secondFactor.notChanged'), t('site.tryAgain')),
  })
  const confirm = useMutation({
    mutationFn: (code: string) => call(routes.confirmSellerSecondFactor, { body: { code } }),
    onSuccess: ({ recoveryCodes }) => {
      toast({ title: t('secondFactor.isOn'), description: t('secondFactor.isOnText') })
      onConfirmed(recoveryCodes)
    },
    onError: toastFailure(t('secondFactor.notChanged'), t('site.tryAgain')),
    onSettled: () => refresh(client, routes.sellerSecondFactor),
  })
  if (secret)
    return (
      <AppSetup {...secret} confirm={confirm} onCode={(code) => confirm.mutate(code)} onCancel={onCancel} />
    )
  return (
    <Form onSubmit={start.submit}>
      <TextField
        label={t('secondFactor.password')}
        type="password"
        autoComplete="current-password"
        autoFocus
        {...start.field('password')}
      />
      <FormActions loading={start.sending.isPending} onCancel={onCancel}>
        {t('secondFactor.next')}
      </FormActions>
    </Form>
  )
}

interface SetUpProps {
  onConfirmed: (recoveryCodes: readonly string[]) => void
  onCancel: () => void
}

/** Gets new recovery codes, or turns the second factor off. Both need the password and a code. */
export function Change({ change, onRenewed, onClose }: ChangeProps) {
  const t = useWords()
  const client = useQueryClient()
  const { sending, submit, field } = useCallForm({
    schema: passwordAndCode,
    start: { password: '', code: '' },
    send: async (body) =>
      change === 'renew'
        ? (await call(routes.renewRecoveryCodes, { body })).recoveryCodes
        : void (await call(routes.stopSellerSecondFactor, { body })),
    onDone: (recoveryCodes) => {
      if (recoveryCodes) onRenewed(recoveryCodes)
      else {
        toast({ title: t('secondFactor.isOff'), description: t('secondFactor.isOffText') })
        onClose()
      }
      void refresh(client, routes.sellerSecondFactor)
    },
    failed: toastOf(t('secondFactor.notChanged'), t('site.tryAgain')),
  })
  return (
    <Form onSubmit={submit}>
      <TextField
        label={t('secondFactor.password')}
        type="password"
        autoComplete="current-password"
        autoFocus
        {...field('password')}
      />
      <TextField
        label={t('secondFactor.code')}
        hint={t('secondFactor.codeOrRecovery')}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        spellCheck={false}
        className="figures text-lg"
        {...field('code')}
      />
      <FormActions
        variant={change === 'stop' ? 'danger' : 'primary'}
        loading={sending.isPending}
        onCancel={onClose}
      >
        {t(`secondFactor.${change}`)}
      </FormActions>
    </Form>
  )
}

interface ChangeProps {
  change: 'renew' | 'stop'
  onRenewed: (recoveryCodes: readonly string[]) => void
  onClose: () => void
}
