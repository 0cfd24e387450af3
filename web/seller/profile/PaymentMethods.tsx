import { useQuery } from '@tanstack/react-query'
import { Plus, Wallet } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { PaymentMethod } from '#contract/payment-methods.ts'
import { routes } from '#contract/routes.ts'
import { MAX_PAYMENT_METHODS, paymentRules } from '#domain/payment-methods.ts'
import { Button } from '#web/kit/Button.tsx'
import { Dialog } from '#web/kit/Dialog.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { unbroken } from '#web/kit/masked.ts'
import { Failure } from '#web/kit/Notice.tsx'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'
import { messageOf } from '#web/wire/errors.ts'
import { read } from '#web/wire/read.ts'

// Both dialogs are loaded when first opened, because most visits need neither.
const DeletePaymentMethod = lazyComponent(() =>
  import('./DeletePaymentMethod.tsx').then((module) => module.DeletePaymentMethod),
)

export function PaymentMethods() {
  const methods = useQuery(read(routes.paymentMethods, {}))
  const [adding, setAdding] = useState(false)
  if (methods.isPending) return <SkeletonRows rows={2} label="Loading your payment methods" />
  if (methods.isError) {
    const message = messageOf(methods.error, 'Your payment methods could not be loaded.')
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
        Add Payment Method
      </Button>
      {full && (
        <p className="text-soft text-sm">You can save at most {MAX_PAYMENT_METHODS} payment methods.</p>
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
        <span className="font-medium text-ink">No payment methods yet.</span> Save one so that you do not have
        to enter it for each card you sell.
      </p>
    </div>
  )
}

function MethodList({ methods }: { methods: readonly PaymentMethod[] }) {
  const [deleting, setDeleting] = useState<PaymentMethod>()
  // Stays mounted after the first use, so that the dialog can animate when it closes.
  const [wanted, setWanted] = useState(false)
  const ask = (method: PaymentMethod) => {
    setWanted(true)
    setDeleting(method)
  }
  return (
    <>
      <ul aria-label="Payment methods" className="-mt-4 divide-y divide-line border-line border-b">
        {methods.map((method) => (
          <li key={method.id} className="flex items-center gap-3 py-4">
            <div className="grid min-w-0 flex-1 gap-0.5 wrap-anywhere">
              <p className="font-medium">
                {paymentRules[method.type].label}
                {method.isDefault && <span className="text-accent"> · Default</span>}
              </p>
              <p className="text-sm">{method.accountName}</p>
              <p className="figures text-soft text-sm">{unbroken(method.accountInfo)}</p>
              {method.problem && <p className="font-medium text-caution text-sm">{method.problem}</p>}
            </div>
            <Button
              variant="quiet"
              size="sm"
              onClick={() => ask(method)}
              aria-label={`Delete ${paymentRules[method.type].label} ${method.accountInfo}`}
              className="-mr-3"
            >
              Delete
            </Button>
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

const AddPaymentForm = lazyComponent(() =>
  import('./AddPaymentForm.tsx').then((module) => module.AddPaymentForm),
)

function AddPaymentMethod({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title="Add Payment Method">
      <Suspense fallback={<SkeletonRows rows={3} label="Loading the form" />}>
        <AddPaymentForm onClose={onClose} />
      </Suspense>
    </Dialog>
  )
}
