import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answer, Route } from '#contract/route.ts'
import { passwordAndCode, passwordOnly, type secondFactorRoutes, withCode } from '#contract/second-factor.ts'
import { toastOf, useCallForm } from '#web/forms/use-call-form.ts'
import { Form, FormActions } from '#web/kit/Form.tsx'
import { TextField } from '#web/kit/TextField.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { toastFailure } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'
import { useWords } from '#web/words/words.ts'
import { AppSetup } from './AppSetup.tsx'

export { RecoveryCodes } from './RecoveryCodes.tsx'

/** The routes of sellers or of staff. */
export interface SecondFactorCalls {
  state: typeof secondFactorRoutes.sellerSecondFactor | typeof secondFactorRoutes.secondFactor
  start: typeof secondFactorRoutes.startSellerSecondFactor | typeof secondFactorRoutes.startSecondFactor
  confirm: typeof secondFactorRoutes.confirmSellerSecondFactor | typeof secondFactorRoutes.confirmSecondFactor
  renew: typeof secondFactorRoutes.renewRecoveryCodes | typeof secondFactorRoutes.renewAdminRecoveryCodes
  stop: typeof secondFactorRoutes.stopSellerSecondFactor | typeof secondFactorRoutes.stopSecondFactor
  /** Staff turn it off with a code alone. */
  stopAsksPassword: boolean
  /** What a change of the second factor also changes. */
  affected: readonly Route[]
}

/** Asks for the password, shows the secret for the app, and checks a code. */
export function SetUp({ calls, onConfirmed, onCancel }: SetUpProps) {
  const t = useWords()
  const client = useQueryClient()
  const [secret, setSecret] = useState<Answer<SecondFactorCalls['start']>>()
  const start = useCallForm({
    schema: passwordOnly,
    start: { password: '' },
    send: (body) => call(calls.start, { body }),
    onDone: setSecret,
    failed: toastOf(t('secondFactor.notChanged'), t('site.tryAgain')),
  })
  const confirm = useMutation({
    mutationFn: (code: string) => call(calls.confirm, { body: { code } }),
    onSuccess: ({ recoveryCodes }) => {
      toast({ title: t('secondFactor.isOn'), description: t('secondFactor.isOnText') })
      onConfirmed(recoveryCodes)
    },
    onError: toastFailure(t('secondFactor.notChanged'), t('site.tryAgain')),
    onSettled: () => refresh(client, calls.state, ...calls.affected),
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
  calls: SecondFactorCalls
  onConfirmed: (recoveryCodes: readonly string[]) => void
  onCancel: () => void
}

/** Gets new recovery codes, or turns the second factor off. Needs a code and, unless staff turn it off, the password. */
export function Change({ calls, change, onRenewed, onClose }: ChangeProps) {
  const t = useWords()
  const client = useQueryClient()
  const asksPassword = change === 'renew' || calls.stopAsksPassword
  const { sending, submit, field } = useCallForm({
    schema: (asksPassword ? passwordAndCode : withCode) as typeof passwordAndCode,
    start: { password: '', code: '' },
    send: async (body) =>
      change === 'renew'
        ? (await call(calls.renew, { body })).recoveryCodes
        : void (await call(calls.stop, { body })),
    onDone: (recoveryCodes) => {
      if (recoveryCodes) onRenewed(recoveryCodes)
      else {
        toast({ title: t('secondFactor.isOff'), description: t('secondFactor.isOffText') })
        onClose()
      }
      void refresh(client, calls.state, ...calls.affected)
    },
    failed: toastOf(t('secondFactor.notChanged'), t('site.tryAgain')),
  })
  return (
    <Form onSubmit={submit}>
      {asksPassword && (
        <TextField
          label={t('secondFactor.password')}
          type="password"
          autoComplete="current-password"
          autoFocus
          {...field('password')}
        />
      )}
      <TextField
        label={t('secondFactor.code')}
        autoFocus={!asksPassword}
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
  calls: SecondFactorCalls
  change: 'renew' | 'stop'
  onRenewed: (recoveryCodes: readonly string[]) => void
  onClose: () => void
}
