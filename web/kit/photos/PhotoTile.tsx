import { FileImage, ImagePlus, RotateCw, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useWords } from '#web/words/words.ts'
import { Progress } from '../Progress.tsx'
import type { Photo } from './use-photos.ts'

const tile = 'relative aspect-[4/3] w-full overflow-hidden rounded-md md:aspect-[8/5]'

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
    <li className={`${tile} border border-line bg-sunken`}>
      {unreadable ? (
        // Usually HEIC: most browsers can't show it, but the server can read it.
        <div className="grid h-full place-items-center content-center gap-1 px-3 pt-2 pb-8 text-center text-soft text-xs">
          {share === undefined && <FileImage aria-hidden="true" className="size-6" />}
          <span className="line-clamp-1 break-all">{photo.file.name}</span>
        </div>
      ) : (
        <img
          src={photo.preview}
          alt={name}
          className="size-full object-contain"
          onLoad={({ currentTarget }) => onShown(currentTarget)}
          onError={() => setUnreadable(true)}
        />
      )}
      <span className="absolute bottom-1.5 left-1.5 rounded-sm bg-surface px-2 py-0.5 font-medium text-xs">
        {name}
      </span>
      {share === undefined ? (
        <div className="absolute top-0 right-0 flex">
          {!unreadable && (
            <TileButton label={t('photos.rotate', { photo: name })} onPress={onTurn}>
              <RotateCw aria-hidden="true" className="size-4" />
            </TileButton>
          )}
          <TileButton label={t('photos.remove', { photo: name })} onPress={onRemove}>
            <X aria-hidden="true" className="size-4" />
          </TileButton>
        </div>
      ) : (
        <div className="absolute inset-x-1.5 top-1.5 rounded-full bg-surface p-1">
          <Progress share={share} label={t('photos.upload', { photo: name })} />
        </div>
      )}
    </li>
  )
}

function TileButton({
  label,
  onPress,
  children,
}: {
  label: string
  onPress: () => void
  children: ReactNode
}) {
  return (
    <button
      type="button"
      onClick={onPress}
      aria-label={label}
      title={label}
      className="grid size-11 place-items-center focus-visible:-outline-offset-2"
    >
      <span className="grid size-7 place-items-center rounded-full bg-surface text-ink shadow-raised">
        {children}
      </span>
    </button>
  )
}

/** An empty slot. Press it to choose a photo, or drop one on it. */
export function EmptyTile({ name, slot, onPick }: { name: string; slot: number; onPick: () => void }) {
  return (
    <li data-slot={slot}>
      <button
        type="button"
        onClick={onPick}
        className={`${tile} grid place-items-center content-center gap-1.5 border border-control border-dashed bg-sunken text-soft transition-colors hover:border-accent hover:text-accent`}
      >
        <ImagePlus aria-hidden="true" className="size-6" />
        <span className="font-medium text-sm">{name}</span>
      </button>
    </li>
  )
}
