import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { PaymentMethod } from '#contract/payment-methods.ts'
import { routes } from '#contract/routes.ts'
import { Button } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'
import { useWords } from '#web/words/words.ts'
import { accountText } from '../account-text.ts'

export function DeletePaymentMethod({ method, onClose }: DeletePaymentMethodProps) {
  const t = useWords()
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: (id: string) => call(routes.deletePaymentMethod, { params: { id } }),
    onSuccess: () => {
      toast({ title: t('paymentMethod.deleted'), description: t('paymentMethod.deletedText') })
      onClose()
    },
    onError: (error) =>
      toast({
        title: t('paymentMethod.deleteFailed'),
        description: messageOf(error, t('paymentMethod.deleteFailedText')),
        variant: 'destructive',
      }),
    // Runs after a refusal too: it may already be deleted.
    onSettled: () => refresh(client, routes.paymentMethods),
  })
  return (
    <Dialog
      open={method !== undefined}
      onOpenChange={(open) => !open && onClose()}
      title={t('paymentMethod.delete.title')}
      description={
        method &&
        t('paymentMethod.delete.method', {
          type: t(`payments.type.${method.type}`),
          account: accountText(t, method.accountInfo),
        })
      }
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            {t('paymentMethod.delete.cancel')}
          </Button>
          <Button
            variant="danger"
            loading={remove.isPending}
            onClick={() => method && remove.mutate(method.id)}
          >
            {t('paymentMethod.delete.confirm')}
          </Button>
        </>
      }
    >
      <p className="text-sm">{t('paymentMethod.delete.text')}</p>
    </Dialog>
  )
}

interface DeletePaymentMethodProps {
  /** Undefined closes the dialog. */
  method: PaymentMethod | undefined
  onClose: () => void
}
