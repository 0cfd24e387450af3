import { Download, ImageOff } from 'lucide-react'
import { Suspense, useState } from 'react'
import type { StaffSubmission } from '#contract/staff-submissions.ts'
import { may } from '#domain/roles.ts'
import { maySeeCard } from '#domain/submission.ts'
import { cx } from '#web/kit/cx.ts'
import { DialogLoading, NotLoaded } from '#web/kit/Dialog.tsx'
import { EmptyState } from '#web/kit/EmptyState.tsx'
import { lazyComponent } from '#web/kit/lazy-component.ts'
import { KeyHint } from '../../shell/keys/KeyHint.tsx'
import { useKeys } from '../../shell/keys/use-keys.ts'
import { useStaff } from '../../shell/use-staff.ts'
import type { Reveal } from '../use-reveal.ts'
import { downloadAddress, useThumbnailAddress } from './photo-address.ts'

const PhotoViewer = lazyComponent(() => import('./PhotoViewer.tsx').then((module) => module.PhotoViewer), {
  substitute: NotLoaded,
})

interface PhotosProps {
  submission: StaffSubmission
  reveal: Reveal
  /** The photo shown in the viewer. */
  opened: string | undefined
  onOpen: (photo: string | undefined) => void
}

export function Photos({ submission, reveal, opened, onOpen }: PhotosProps) {
  const [failed, setFailed] = useState<readonly string[]>([])
  const photos = submission.imageUrl.filter((photo) => !failed.includes(photo))
  const start = opened === undefined ? -1 : photos.indexOf(opened)
  useKeys({ photos: () => photos.length > 0 && onOpen(photos[0]) })

  const { role } = useStaff().admin
  if (!maySeeCard(role, submission.status)) {
    const title = may(role, 'reveal_cards')
      ? 'Your role cannot see the photos of cards that we own'
      : 'Your role cannot see the photos'
    return (
      <section aria-label="Photos">
        <EmptyState icon={<ImageOff />} title={title} />
      </section>
    )
  }
  if (photos.length === 0) {
    const missing = submission.secretsErasedAt ? 'The images were erased' : 'No verification images uploaded'
    return (
      <section aria-label="Photos">
        <EmptyState
          icon={<ImageOff />}
          title={submission.imageUrl.length > 0 ? 'The images could not be loaded' : missing}
        />
      </section>
    )
  }
  return (
    <section aria-label="Photos" className="grid content-start">
      <h3 className="flex min-h-9 items-center gap-2 text-base">
        {photos.length === 1 ? 'Photo' : `${photos.length} photos`} <KeyHint action="photos" />
      </h3>
      <ul
        className={cx('grid gap-2 *:first:col-span-full', photos.length > 3 ? 'grid-cols-3' : 'grid-cols-2')}
      >
        {photos.map((photo, index) => (
          <Thumbnail
            key={photo}
            photo={photo}
            number={index + 1}
            onOpen={() => onOpen(photo)}
            onFail={() => setFailed([...failed, photo])}
          />
        ))}
      </ul>
      <Suspense fallback={start >= 0 && <DialogLoading onCancel={() => onOpen(undefined)} />}>
        {start >= 0 && (
          <PhotoViewer
            card={{ submission, reveal }}
            photos={photos}
            start={start}
            onClose={() => onOpen(undefined)}
          />
        )}
      </Suspense>
    </section>
  )
}

interface ThumbnailProps {
  photo: string
  number: number
  onOpen: () => void
  onFail: () => void
}

function Thumbnail({ photo, number, onOpen, onFail }: ThumbnailProps) {
  const address = useThumbnailAddress(photo)
  return (
    <li className="group relative overflow-hidden rounded-md bg-sunken">
      <button
        type="button"
        onClick={onOpen}
        aria-label={`Open photo ${number}`}
        className="block aspect-3/2 w-full cursor-zoom-in focus-visible:-outline-offset-2"
      >
        <img
          src={address}
          alt=""
          onError={onFail}
          className="size-full object-contain transition-opacity hover:opacity-90"
        />
      </button>
      <a
        href={downloadAddress(photo)}
        download
        aria-label={`Download photo ${number}`}
        title="Download"
        // Fingers cannot hover. The viewer has the button too.
        className="pointer-coarse:hidden absolute right-2 bottom-2 grid size-9 place-items-center rounded-md bg-surface text-ink opacity-0 hover:bg-sunken focus-visible:opacity-100 group-hover:opacity-100"
      >
        <Download />
      </a>
    </li>
  )
}
