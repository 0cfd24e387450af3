import { useState } from 'react'
import type { StaffBrand } from '#contract/brands.ts'
import { Dialog } from '#web/kit/Dialog.tsx'
import { BrandForm } from './BrandForm.tsx'

interface BrandDialogProps {
  edited: StaffBrand | 'new' | undefined
  onClose: () => void
}

export function BrandDialog({ edited, onClose }: BrandDialogProps) {
  // What it was about stays in it while it goes out of sight.
  const [shown, setShown] = useState(edited)
  if (edited && edited !== shown) setShown(edited)
  if (!shown) return null
  const brand = shown === 'new' ? undefined : shown
  return (
    <Dialog
      open={edited !== undefined}
      onOpenChange={(open) => open || onClose()}
      title={brand ? `Edit ${brand.name}` : 'Add a brand'}
      description={
        brand
          ? 'Counts at once for every new quote, and is written to the audit log.'
          : 'Sellers can choose it at once. Until now its cards were bought as unlisted ones, at 85%.'
      }
    >
      <BrandForm key={brand && `${brand.value} ${brand.updatedAt}`} brand={brand} onDone={onClose} />
    </Dialog>
  )
}
