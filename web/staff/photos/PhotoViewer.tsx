import { Dialog } from '@base-ui/react/dialog'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { CardFacts } from '../submissions/detail/CardFacts.tsx'
import type { Reveal } from '../submissions/detail/use-reveal.ts'
import { PhotoDesk } from './PhotoDesk.tsx'

interface PhotoViewerProps {
  submission: StaffSubmission
  photos: readonly string[]
  /** Index of the photo to begin with. */
  start: number
  reveal: Reveal
  onClose: () => void
}

/** A photo as large as the window allows, beside the values that it is compared with. */
export function PhotoViewer({ submission, photos, start, reveal, onClose }: PhotoViewerProps) {
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Popup className="fixed inset-0 z-40 grid grid-rows-[minmax(0,1fr)_auto] bg-page outline-none lg:grid-cols-[minmax(0,1fr)_26rem] lg:grid-rows-1">
          <Dialog.Title className="sr-only">Photos of the {submission.brandName} card</Dialog.Title>
          <PhotoDesk photos={photos} start={start} onReveal={reveal.toggle} onClose={onClose} />
          <aside className="grid max-h-[45dvh] content-start gap-6 overflow-y-auto border-line bg-surface p-5 max-lg:border-t lg:max-h-none lg:border-l">
            <CardFacts submission={submission} reveal={reveal} />
          </aside>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}
