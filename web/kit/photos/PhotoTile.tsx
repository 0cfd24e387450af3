import { FileImage, ImagePlus, RotateCw, X } from 'lucide-react'
import { useState } from 'react'
import { useWords } from '#web/words/words.ts'
import { IconButton } from '../Button.tsx'
import { Progress } from '../Progress.tsx'
import type { Photo } from './use-photos.ts'

const frame = 'aspect-[4/3] w-full md:aspect-[8/5]'

interface PhotoTileProps {
  photo: Photo
  name: string
  /** How much of it was sent, 0 to 1. Undefined before and after the upload. */
  share?: number | undefined
  /** Called when the browser can show it. */
  onShown: (shown: HTMLImageElement) => void
  onTurn: () => void
  onRemove: () => void
}

/** A photo with its name and buttons to rotate and remove it. */
export function PhotoTile({ photo, name, share, onShown, onTurn, onRemove }: PhotoTileProps) {
  const t = useWords()
  const [unreadable, setUnreadable] = useState(false)
  return (
    <li className="overflow-hidden rounded-md border border-line bg-sunken">
      {unreadable ? (
        // Usually HEIC: most browsers can't show it, but the server can read it.
        <div
          className={`${frame} grid place-items-center content-center gap-1 px-3 text-center text-soft text-xs`}
        >
          <FileImage aria-hidden="true" className="size-6" />
          <span className="line-clamp-1 break-all">{photo.file.name}</span>
        </div>
      ) : (
        <img
          src={photo.preview}
          alt={name}
          className={`${frame} object-contain`}
          onLoad={({ currentTarget }) => onShown(currentTarget)}
          onError={() => setUnreadable(true)}
        />
      )}
      {photo.earlier === 'rejected' && (
        <p className="bg-surface px-2.5 pt-1.5 font-medium text-negative text-xs">{t('photos.rejected')}</p>
      )}
      {/* Below the photo, so that nothing covers its digits. */}
      <div className="flex min-h-11 items-center bg-surface pl-1.5 sm:pl-2.5">
        <span className="-mr-3 line-clamp-2 min-w-0 flex-1 font-medium text-xs tracking-tight">{name}</span>
        {share === undefined ? (
          <>
            {!unreadable && (
              <IconButton label={t('photos.rotate', { photo: name })} onClick={onTurn}>
                <RotateCw aria-hidden="true" className="size-4" />
              </IconButton>
            )}
            <IconButton label={t('photos.remove', { photo: name })} onClick={onRemove}>
              <X aria-hidden="true" className="size-4" />
            </IconButton>
          </>
        ) : (
          <span className="flex-1 px-2.5">
            <Progress share={share} label={t('photos.upload', { photo: name })} />
          </span>
        )}
      </div>
    </li>
  )
}

/** An empty slot. Press it to choose a photo, or drop one on it. */
export function EmptyTile({ name, slot, onPick }: { name: string; slot: number; onPick: () => void }) {
  return (
    <li data-slot={slot}>
      <button
        type="button"
        onClick={onPick}
        className={`${frame} grid h-full place-items-center content-center gap-1.5 rounded-md border border-control border-dashed bg-sunken text-soft transition-colors hover:border-accent hover:text-accent`}
      >
        <ImagePlus aria-hidden="true" className="size-6" />
        <span className="font-medium text-sm">{name}</span>
      </button>
    </li>
  )
}
