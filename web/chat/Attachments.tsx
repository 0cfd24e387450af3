import { Paperclip, X } from 'lucide-react'
import { useRef } from 'react'
import { MAX_CHAT_PHOTOS, MAX_PHOTO_BYTES, PHOTO_ACCEPT } from '#domain/photo-files.ts'
import { IconButton } from '#web/kit/Button.tsx'
import { FieldError } from '#web/kit/Field.tsx'
import { type Photos, rejectionText, usePhotos } from '#web/kit/photos/use-photos.ts'
import { Spinner } from '#web/kit/Spinner.tsx'
import { useWords } from '#web/words/words.ts'

/** The photos to send with the next message. */
export function useAttachments(): Photos {
  return usePhotos({ max: MAX_CHAT_PHOTOS, maxBytes: MAX_PHOTO_BYTES, accept: PHOTO_ACCEPT })
}

/** Takes the photos to send them. */
export function takeFiles({ photos, remove }: Photos): File[] {
  for (const { id } of photos) remove(id)
  return photos.map(({ file }) => file)
}

/** The fields of a message that is sent as a form, which has no null. */
export function formFields(
  draft: Readonly<Record<string, string | null | undefined>>,
): Record<string, string> {
  const entries = Object.entries(draft).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value ?? '']],
  )
  return Object.fromEntries(entries)
}

/** Adds photos. Phones offer the camera too, because every type of image is accepted. */
export function AttachButton({ picked, disabled }: { picked: Photos; disabled?: boolean }) {
  const t = useWords()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        accept={`image/*,${picked.limits.accept}`}
        tabIndex={-1}
        aria-hidden="true"
        onChange={({ currentTarget }) => {
          void picked.add([...(currentTarget.files ?? [])])
          // Cleared, so that a removed file can be chosen again.
          currentTarget.value = ''
        }}
        className="hidden"
      />
      <IconButton
        label={t('photos.choose')}
        disabled={disabled || picked.photos.length >= picked.limits.max}
        onClick={() => input.current?.click()}
      >
        <Paperclip aria-hidden="true" className="size-5" />
      </IconButton>
    </>
  )
}

/** What was added, with buttons to remove it, and why other files were not added. */
export function Attached({ picked }: { picked: Photos }) {
  const t = useWords()
  const refusal = picked.rejected && rejectionText(t, picked.rejected, picked.limits)
  return (
    <div aria-live="polite" className="grid gap-2 empty:hidden">
      {picked.photos.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {picked.photos.map(({ id, preview, file }, index) => {
            const photo = t('photos.photo', { number: index + 1 })
            return (
              <li
                key={id}
                className="relative size-20 overflow-hidden rounded-md border border-line bg-sunken"
              >
                <img
                  src={preview}
                  alt={photo}
                  title={file.name}
                  className="size-full object-cover text-soft text-xs"
                />
                <IconButton
                  label={t('photos.remove', { photo })}
                  onClick={() => picked.remove(id)}
                  className="absolute top-0 right-0 hover:bg-transparent focus-visible:-outline-offset-2"
                >
                  <span className="grid size-7 place-items-center rounded-full bg-surface text-ink shadow-raised">
                    <X aria-hidden="true" className="size-4" />
                  </span>
                </IconButton>
              </li>
            )
          })}
        </ul>
      )}
      {picked.preparing && (
        <span className="inline-flex items-center gap-2 text-soft text-sm">
          <Spinner className="size-4" /> {t('photos.preparing')}
        </span>
      )}
      {refusal && <FieldError>{refusal}</FieldError>}
    </div>
  )
}
