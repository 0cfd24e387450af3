import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { z } from 'zod'
import type { PaymentMethod, payoutAccount } from '#contract/payment-methods.ts'
import type { Answer } from '#contract/route.ts'
import { routes } from '#contract/routes.ts'
import { inDollars } from '#domain/money.ts'
import { MAX_PAYMENT_METHODS, maskAccountInfo, type PaymentType } from '#domain/payment-methods.ts'
import { CHANGED_ACCOUNT_HOURS } from '#domain/payout.ts'
import { toastUnlessAtField, useCallForm } from '#web/forms/use-call-form.ts'
import { Button } from '#web/kit/Button.tsx'
import { CheckField } from '#web/kit/CheckField.tsx'
import { Form } from '#web/kit/Form.tsx'
import { onOneLine } from '#web/kit/masked.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { ApiError } from '#web/wire/errors.ts'
import { read, refresh } from '#web/wire/read.ts'
import { useSession } from '#web/wire/session.ts'
import { useWords } from '#web/words/words.ts'
import { paymentMethodIn } from '#words/payment-method.ts'
import { AccountFields, emptyAccount, withoutOtherKind } from '../AccountFields.tsx'
import { accountName, ownName } from '../account-text.ts'
import { PayoutMethodField, SavedMethod } from '../PayoutMethodField.tsx'
import { refreshCards } from '../refresh-cards.ts'
import { FailedAccount, type FailedPayout } from './FailedAccount.tsx'

/** Another account for a payout that came back: a saved payment method, or one that is typed here. */
export function ChangeAccountForm({
  id,
  payout,
  reasons,
  isDue,
  same,
  forAll,
  onForAll,
  onClose,
}: ChangeAccountFormProps) {
  const t = useWords()
  const client = useQueryClient()
  const { user } = useSession()
  // Fetched again, because a payout that came back may have made some unusable.
  const { data: all = [] } = useQuery({ ...read(routes.paymentMethods, {}), refetchOnMount: 'always' })
  const saved = all.filter((method) => !method.routingNumberSuspect && !isOf(payout, method))
  const [savedId, setSavedId] = useState('')
  const chosen = saved.find((method) => method.isActive && method.id === savedId)
  const [remembered, setRemembered] = useState(false)
  const { form, sending, submit, field } = useCallForm<typeof emptyAccount, Sent, Changed>({
    schema: () => import('#contract/payment-methods.ts').then((contract) => contract.newPaymentMethod),
    start: { ...emptyAccount, accountName: user ? ownName(user) : '' },
    send: (account) => {
      const body = { ...withoutOtherKind(account), sameAccount: forAll && isShared, remember: remembered }
      return call(routes.changePayoutAccount, { params: { id }, body })
    },
    onDone: ({ paymentType, account, accountChanged: { count, amount, undecided } }) => {
      const to = `${paymentMethodIn(t, paymentType as PaymentType)} ${onOneLine(accountName(account))}`
      toast({
        title: t('payoutAccount.changed'),
        description: [
          t(isDue ? 'payoutAccount.changedText' : 'payoutAccount.changedInReview', {
            count,
            amount: inDollars(amount),
            account: to,
            hours: CHANGED_ACCOUNT_HOURS,
          }),
          undecided && t('payoutAccount.changedUndecided', { count: undecided }),
        ]
          .filter(Boolean)
          .join(' '),
      })
      if (remembered) void refresh(client, routes.paymentMethods)
      onClose()
      void refreshCards(client)
    },
    failed: (error) => {
      // The money was sent in another way, or the account was changed in another tab.
      if (error instanceof ApiError && error.status === 409) {
        onClose()
        void refreshCards(client)
      }
      return toastUnlessAtField(t('payoutAccount.failed'), t('payoutAccount.failedText'))(error)
    },
  })
  const type: PaymentType | undefined = form.values.type
  const total = same ? same.count + (same.undecided ?? 0) : 0
  const isShared = total > 1

  return (
    <Form
      onSubmit={(event) => {
        if (!chosen) return submit(event)
        event.preventDefault()
        sending.mutate({ paymentMethodId: chosen.id })
      }}
    >
      <div className="grid gap-1 text-sm">
        <FailedAccount payout={payout} reasons={reasons} />
        {payout.mayCorrectName && <p>{t('payoutAccount.correctName')}</p>}
      </div>
      <PayoutMethodField
        saved={saved}
        chosen={chosen}
        type={type ?? ''}
        onChoose={({ paymentMethodId, paymentType }) => {
          setSavedId(paymentMethodId)
          if (paymentType) form.setValue('type', paymentType)
          else form.setValue('type', undefined)
        }}
        ref={field('type').ref}
        error={chosen ? refusedMethod(sending.error) : field('type').error}
      />
      {chosen ? (
        <SavedMethod method={chosen} />
      ) : (
        <AccountFields
          type={type}
          holder={{
            ...field('accountName'),
            label: t('accountFields.holder'),
            hint: t('paymentMethod.accountName.hint'),
          }}
          info={field('accountInfo')}
          routing={{ typed: form.values.routingNumber ?? '', field: field('routingNumber') }}
          account={{ typed: form.values.accountNumber ?? '', field: field('accountNumber') }}
          kind={{
            selected: form.values.accountType ?? 'checking',
            onSelect: (accountType) => form.setValue('accountType', accountType),
          }}
        />
      )}
      <div className="grid gap-2 empty:hidden">
        {same && isShared && (
          <CheckField
            label={t(same.undecided ? 'payoutAccount.allUndecided' : 'payoutAccount.all', {
              total,
              count: same.undecided ?? same.count,
              amount: inDollars(same.amount),
              account: onOneLine(accountName(payout.account)),
            })}
            checked={forAll}
            onChange={({ currentTarget: { checked } }) => onForAll(checked)}
          />
        )}
        {!chosen && type && all.length < MAX_PAYMENT_METHODS && (
          <CheckField
            label={t('sellCard.remember')}
            checked={remembered}
            onChange={({ currentTarget: { checked } }) => setRemembered(checked)}
          />
        )}
      </div>
      {isDue && (
        <p className="text-soft text-sm">{t('payoutAccount.waits', { hours: CHANGED_ACCOUNT_HOURS })}</p>
      )}
      <Button type="submit" loading={sending.isPending} className="sm:justify-self-end">
        {t(sending.isPending ? 'payoutAccount.sending' : 'payoutAccount.send')}
      </Button>
    </Form>
  )
}

/** Whether a saved payment method is the account that did not work. Both are compared masked. */
function isOf({ paymentType, account }: FailedPayout, { type, accountInfo }: PaymentMethod): boolean {
  const masked = type === 'bank_transfer' ? accountInfo : maskAccountInfo(accountInfo)
  return type === paymentType && masked === account
}

/** Why the server refused a saved payment method. */
function refusedMethod(error: Error | null): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  return error.errors.find(({ path }) => path === 'paymentMethodId')?.message
}

interface ChangeAccountFormProps {
  /** Of the submission. */
  id: string
  payout: FailedPayout
  /** Why the account failed, once for each card. */
  reasons: readonly (string | null)[]
  /** Whether some of the money is owed already. Before the approval none is. */
  isDue: boolean
  /** The cards that need another account because this one failed. Undefined while they are counted. */
  same: Answer<typeof routes.sameAccount> | undefined
  forAll: boolean
  onForAll: (forAll: boolean) => void
  onClose: () => void
}

type Sent = z.input<typeof payoutAccount>
type Changed = Answer<typeof routes.changePayoutAccount>
