import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { PaymentMethod } from '#contract/payment-methods.ts'
import { routes } from '#contract/routes.ts'
import { paymentRules } from '#domain/payment-methods.ts'
import { Button } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { toast } from '#web/kit/toast.ts'
import { call } from '#web/wire/call.ts'
import { messageOf } from '#web/wire/errors.ts'
import { refresh } from '#web/wire/read.ts'

export function DeletePaymentMethod({ method, onClose }: DeletePaymentMethodProps) {
  const client = useQueryClient()
  const remove = useMutation({
    mutationFn: (id: string) => call(routes.deletePaymentMethod, { params: { id } }),
    onSuccess: () => {
      toast({ title: 'Payment Method Deleted', description: 'The payment method has been removed.' })
      onClose()
    },
    onError: (error) =>
      toast({
        title: 'Delete Failed',
        description: messageOf(error, 'Failed to delete payment method'),
        variant: 'destructive',
      }),
    // Also after a refusal: it may already be deleted.
    onSettled: () => refresh(client, routes.paymentMethods),
  })
  return (
    <Dialog
      open={method !== undefined}
      onOpenChange={(open) => !open && onClose()}
      title="Delete this payment method?"
      description={method && `${paymentRules[method.type].label}, ${method.accountInfo}`}
      actions={
        <>
          <Button variant="secondary" onClick={onClose}>
            Keep
          </Button>
          <Button
            variant="danger"
            loading={remove.isPending}
            onClick={() => method && remove.mutate(method.id)}
          >
            Delete
          </Button>
        </>
      }
    >
      <p className="text-sm">Cards you submitted with this account are still paid to it.</p>
    </Dialog>
  )
}

interface DeletePaymentMethodProps {
  /** Undefined closes the dialog. */
  method: PaymentMethod | undefined
  onClose: () => void
}
