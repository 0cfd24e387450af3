import { useEffect, useState } from 'react'
import { cx } from '#web/kit/cx.ts'
import { useWords } from '#web/words/words.ts'
import type { ShownMessage } from './message.ts'

interface ChatPhotosProps {
  message: ShownMessage
  /** Says why photos are missing. */
  missing: string
  thumbnailOf: (image: string) => string
  onOpen: (image: string) => void
}

/** The photos of a message, sent or still being sent. */
export function ChatPhotos({ message, missing, thumbnailOf, onOpen }: ChatPhotosProps) {
  const t = useWords()
  const { images = [], files = [], photoCount = 0, mine } = message
  const [failed, setFailed] = useState<readonly string[]>([])
  const readable = images.filter((image) => !failed.includes(image))
  if (photoCount === 0 && files.length === 0) return null
  return (
    <ul className={cx('flex max-w-[85%] flex-wrap gap-1', mine && 'justify-end')}>
      {readable.map((image, index) => (
        <li key={image}>
          <button
            type="button"
            aria-label={t('account.card.photo.open', { number: index + 1 })}
            onClick={() => onOpen(image)}
            className={`${tile} cursor-zoom-in`}
          >
            <img
              src={thumbnailOf(image)}
              alt=""
              onError={() => setFailed((others) => [...others, image])}
              className="size-full object-cover"
            />
          </button>
        </li>
      ))}
      {files.map((file, index) => (
        <li key={index} className={`${tile} opacity-70`}>
          <FilePreview file={file} />
        </li>
      ))}
      {readable.length + files.length < photoCount && (
        <li className="rounded-lg border border-line px-3 py-2 text-soft text-sm">{missing}</li>
      )}
    </ul>
  )
}

const tile = 'block size-28 overflow-hidden rounded-lg border border-line bg-sunken'

/** Nothing for a format that the browser cannot show, usually HEIC. */
function FilePreview({ file }: { file: File }) {
  const [preview, setPreview] = useState<string>()
  useEffect(() => {
    const url = URL.createObjectURL(file)
    setPreview(url)
    return () => URL.revokeObjectURL(url)
  }, [file])
  if (!preview) return null
  return <img src={preview} alt={file.name} className="size-full object-cover text-xs" />
}
