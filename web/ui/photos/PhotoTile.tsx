import { FileImage, ImagePlus, X } from 'lucide-react'
import { useState } from 'react'
import type { Photo } from './use-photos.ts'

const tile = 'relative aspect-[8/5] w-full overflow-hidden rounded-md'

/** A picked photo with its name and a button to remove it. */
export function PhotoTile({ photo, name, onRemove }: { photo: Photo; name: string; onRemove: () => void }) {
  const [unreadable, setUnreadable] = useState(false)
  return (
    <li className={`${tile} border border-line bg-sunken`}>
      {unreadable ? (
        // A HEIC photo, which most browsers can't show; the server can read it.
        <div className="grid h-full place-items-center content-center gap-1 p-3 text-center text-soft text-xs">
          <FileImage aria-hidden="true" className="size-6" />
          <span className="line-clamp-2 break-all">{photo.file.name}</span>
        </div>
      ) : (
        <img
          src={photo.preview}
          alt={name}
          className="size-full object-cover"
          onError={() => setUnreadable(true)}
        />
      )}
      <span className="absolute bottom-1.5 left-1.5 rounded-sm bg-surface px-2 py-0.5 font-medium text-xs">
        {name}
      </span>
      <button
        type="button"
        onClick={onRemove}
        aria-label={`Remove ${name}`}
        className="absolute top-0 right-0 grid size-11 place-items-center"
      >
        <span className="grid size-7 place-items-center rounded-full bg-surface text-ink shadow-raised">
          <X aria-hidden="true" className="size-4" />
        </span>
      </button>
    </li>
  )
}

/** An empty place: pressing it picks the photo that belongs there. */
export function EmptyTile({ name, onPick }: { name: string; onPick: () => void }) {
  return (
    <li>
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
