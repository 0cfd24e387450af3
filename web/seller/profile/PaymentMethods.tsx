import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Plus, Wallet } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { PaymentMethod } from '#contract/payment-methods.ts'
import { routes } from '#contract/routes.ts'
import { MAX_PAYMENT_METHODS } from '#domain/payment-methods.ts'
import { Button } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { Dotted } from '#web/kit/Dotted.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { Masked } from '#web/kit/masked.tsx'
import { Failure } from '#web/kit/Notice.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { Time } from '#web/kit/Time.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { read, refresh } from '#web/wire/read.ts'
import { Rich } from '#web/words/Rich.tsx'
import { useWords } from '#web/words/words.ts'
import { accountText } from '../account-text.ts'

// Both dialogs are loaded when first opened, because most visits need neither.
const DeletePaymentMethod = lazyComponent(() =>
  import('./DeletePaymentMethod.tsx').then((module) => module.DeletePaymentMethod),
)

export function PaymentMethods() {
  const t = useWords()
  const methods = useQuery(read(routes.paymentMethods, {}))
  const [adding, setAdding] = useState(false)
  if (methods.isPending) return <SkeletonRows rows={2} label={t('profile.methods.loading')} />
  if (methods.isError) {
    const message = messageOf(methods.error, t('profile.methods.failed'))
    return <Failure message={message} onRetry={() => methods.refetch()} />
  }
  const full = methods.data.length >= MAX_PAYMENT_METHODS
  return (
    <div className="grid grid-cols-1 gap-5">
      {methods.data.length === 0 ? <NoMethods /> : <MethodList methods={methods.data} />}
      <Button
        variant={methods.data.length === 0 ? 'primary' : 'secondary'}
        icon={<Plus aria-hidden="true" className="size-5" />}
        disabled={full}
        onClick={() => setAdding(true)}
        className="sm:justify-self-start"
      >
        {t('profile.methods.add')}
      </Button>
      {full && (
        <p className="text-soft text-sm">{t('profile.methods.limit', { count: MAX_PAYMENT_METHODS })}</p>
      )}
      <AddPaymentMethod open={adding} onClose={() => setAdding(false)} />
    </div>
  )
}

function NoMethods() {
  return (
    <div className="flex items-start gap-3 text-soft">
      <Wallet aria-hidden="true" className="mt-0.5 size-5 shrink-0" />
      <p>
        <Rich
          id="profile.methods.none"
          tags={{ title: (text) => <span className="font-medium text-ink">{text}</span> }}
        />
      </p>
    </div>
  )
}

function MethodList({ methods }: { methods: readonly PaymentMethod[] }) {
  const t = useWords()
  const [deleting, setDeleting] = useState<PaymentMethod>()
  // Stays mounted after the first use, so that the dialog can animate when it closes.
  const [wanted, setWanted] = useState(false)
  const makeDefault = useMakeDefault()
  const labelOf = ({ type, accountInfo }: PaymentMethod) => ({
    type: t(`payments.type.${type}`),
    account: accountText(t, accountInfo),
  })
  const ask = (method: PaymentMethod) => {
    setWanted(true)
    setDeleting(method)
  }
  return (
    <>
      <ul aria-label={t('profile.methods.list')} className="-mt-4 divide-y divide-line border-line border-b">
        {methods.map((method) => (
          <li key={method.id} className="grid gap-1 py-4 sm:flex sm:items-center sm:gap-3">
            <div className="grid min-w-0 flex-1 gap-0.5 wrap-anywhere">
              <p className="font-medium">
                <Dotted>
                  {t(`payments.type.${method.type}`)}
                  {method.isDefault && (
                    <span className={isUsable(method) ? 'text-accent' : 'text-soft'}>
                      {t('profile.methods.default')}
                    </span>
                  )}
                </Dotted>
              </p>
              <p className="text-sm">{method.accountName}</p>
              <p className="figures text-soft text-sm">
                <Masked text={accountText(t, method.accountInfo)} />
              </p>
              {method.routingNumberSuspect && !method.problem && (
                <p className="font-medium text-caution text-sm">{t('accountFields.routingNumber.wrong')}</p>
              )}
              {method.cameBackAt && !method.problem && (
                <p className="font-medium text-caution text-sm">
                  <Rich
                    id="profile.methods.cameBack"
                    tags={{ date: () => <Time at={method.cameBackAt ?? ''} /> }}
                  />
                </p>
              )}
              {method.problem && <p className="font-medium text-caution text-sm">{method.problem}</p>}
            </div>
            <div className="-ml-3 flex flex-wrap gap-1 sm:-mr-3 sm:ml-0 sm:shrink-0">
              {!method.isDefault && method.isActive && !method.routingNumberSuspect && (
                <Button
                  variant="quiet"
                  size="sm"
                  loading={makeDefault.isPending && makeDefault.variables === method.id}
                  onClick={() => makeDefault.mutate(method.id)}
                  aria-label={t('profile.methods.makeDefaultLabel', labelOf(method))}
                >
                  {t('profile.methods.makeDefault')}
                </Button>
              )}
              <Button
                variant="quiet"
                size="sm"
                onClick={() => ask(method)}
                aria-label={t('profile.methods.deleteLabel', labelOf(method))}
              >
                {t('profile.methods.delete')}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {wanted && (
        <Suspense>
          <DeletePaymentMethod method={deleting} onClose={() => setDeleting(undefined)} />
        </Suspense>
      )}
    </>
  )
}

const isUsable = ({ isActive, routingNumberSuspect, cameBackAt }: PaymentMethod) =>
  isActive && !routingNumberSuspect && !cameBackAt

function useMakeDefault() {
  const t = useWords()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(routes.setDefaultMethod, { params: { id } }),
    onSuccess: ({ type }) =>
      toast({
        title: t('profile.methods.defaultChanged'),
        description: t('profile.methods.defaultChangedText', { type: t(`payments.type.${type}`) }),
      }),
    onError: (error) =>
      toast({
        title: t('profile.updateFailed'),
        description: messageOf(error, t('profile.methods.defaultFailedText')),
        variant: 'destructive',
      }),
    // Also after a refusal, because the list is out of date then.
    onSettled: () => refresh(client, routes.paymentMethods),
  })
}

const AddPaymentForm = lazyComponent(() =>
  import('./AddPaymentForm.tsx').then((module) => module.AddPaymentForm),
)

function AddPaymentMethod({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useWords()
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={t('profile.methods.add')}>
      <Suspense fallback={<SkeletonRows rows={3} label={t('profile.methods.loadingForm')} />}>
        <AddPaymentForm onClose={onClose} />
      </Suspense>
    </Dialog>
  )
}
