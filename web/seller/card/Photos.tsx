import { useState } from 'react'
import { Dialog } from '#web/kit/Dialog.tsx'
import { useWords } from '#web/words/words.ts'

/** The seller's own photos of a card. One that was erased meanwhile is left out. */
export function Photos({ photos }: { photos: readonly string[] }) {
  const t = useWords()
  // Kept while the dialog closes.
  const [shown, setShown] = useState<{ photo: string; open: boolean }>()
  const [failed, setFailed] = useState<readonly string[]>([])
  const readable = photos.filter((photo) => !failed.includes(photo))
  if (readable.length === 0) return null
  const number = shown ? readable.indexOf(shown.photo) + 1 : 0
  const title = t('account.card.photo.title', { number, count: readable.length })
  return (
    <section aria-labelledby="photos" className="grid gap-4">
      <h2 id="photos" className="text-xl">
        {t('account.card.photos')}
      </h2>
      <ul className="grid grid-cols-3 gap-2 sm:grid-cols-5">
        {readable.map((photo, index) => (
          <li key={photo}>
            <button
              type="button"
              aria-label={t('account.card.photo.open', { number: index + 1 })}
              onClick={() => setShown({ photo, open: true })}
              className="block aspect-3/2 w-full cursor-zoom-in overflow-hidden rounded-md bg-sunken"
            >
              <img
                src={`${photo}?size=thumbnail`}
                alt=""
                onError={() => setFailed((before) => [...before, photo])}
                className="size-full object-cover"
              />
            </button>
          </li>
        ))}
      </ul>
      {shown && (
        <Dialog wide open={shown.open} onOpenChange={(open) => setShown({ ...shown, open })} title={title}>
          <img src={shown.photo} alt={title} className="max-h-[75dvh] w-full rounded-md object-contain" />
        </Dialog>
      )}
    </section>
  )
}
