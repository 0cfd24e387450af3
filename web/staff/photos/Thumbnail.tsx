import { Download } from 'lucide-react'
import { downloadAddress, viewAddress } from './photo-address.ts'

interface ThumbnailProps {
  photo: string
  number: number
  onOpen: () => void
  onFail: () => void
}

export function Thumbnail({ photo, number, onOpen, onFail }: ThumbnailProps) {
  return (
    <li className="group relative overflow-hidden rounded-md bg-sunken">
      <button
        type="button"
        onClick={onOpen}
        aria-label={`Open photo ${number}`}
        className="block aspect-3/2 w-full cursor-zoom-in focus-visible:-outline-offset-2"
      >
        <img
          src={viewAddress(photo, 'thumbnail')}
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
        className="absolute right-2 bottom-2 grid size-11 place-items-center rounded-md bg-surface text-ink hover:bg-sunken md:size-9"
      >
        <Download aria-hidden="true" className="size-4" />
      </a>
    </li>
  )
}
