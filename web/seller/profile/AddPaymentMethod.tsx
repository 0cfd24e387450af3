import { Suspense } from 'react'
import { Dialog } from '#web/kit/Dialog.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { SkeletonRows } from '#web/kit/Skeleton.tsx'

// Fetched with the dialog: most visits of the profile add nothing.
const AddPaymentForm = lazyComponent(() =>
  import('./AddPaymentForm.tsx').then((module) => module.AddPaymentForm),
)

export function AddPaymentMethod({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title="Add Payment Method">
      <Suspense fallback={<SkeletonRows rows={3} label="Loading the form" />}>
        <AddPaymentForm onClose={onClose} />
      </Suspense>
    </Dialog>
  )
}
