import { Camera, Images } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useWords } from '#web/words/words.ts'
import { Button } from '../Button.tsx'
import { cx } from '../cx.ts'
import { FieldError } from '../Field.tsx'
import { Notice } from '../Notice.tsx'
import { Spinner } from '../Spinner.tsx'
import type { Doubt } from './doubt.ts'
import { useDrop, usePaste } from './drop-and-paste.ts'
import { EmptyTile, PhotoTile } from './PhotoTile.tsx'
import { type Photo, type Photos, rejectionText } from './use-photos.ts'

/** A card number is hard to read on a photo whose longer side has fewer pixels. */
const MIN_PIXELS = 600

interface PhotoPickerProps {
  label: string
  error?: string | undefined
  /** The names of the photos to ask for: Front and Back. */
  slots: readonly string[]
  picked: Photos
  disabled?: boolean
  /** While uploading: how much of each photo was sent, 0 to 1. */
  shares?: readonly number[] | undefined
}

/** Adds photos by choosing, dropping, pasting or taking them, and shows previews. */
export function PhotoPicker({ label, error, slots, picked, disabled, shares }: PhotoPickerProps) {
  const t = useWords()
  const id = useId()
  const chooser = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const wanted = useRef<Wanted>({})
  const { photos, add, preparing, limits } = picked
  const full = photos.length >= limits.max
  const refusal = picked.rejected && rejectionText(t, picked.rejected, limits)
  const [small, setSmall] = useState<readonly string[]>([])
  const smallCount = photos.filter(({ preview }) => small.includes(preview)).length
  /** By photo. Null for a photo that looks fine, or that the seller wants to use anyway. */
  const [doubts, setDoubts] = useState<Readonly<Record<number, Doubt | null>>>({})
  const doubted = photos.flatMap((photo) => {
    const doubt = doubts[photo.id]
    return doubt ? [{ photo, doubt }] : []
  })
  const drop = useDrop((files, on) => !disabled && add(files, slotOf(on)))
  usePaste((files) => !disabled && add(files))

  function pick(next: Wanted = {}, input = chooser) {
    wanted.current = next
    input.current?.click()
  }
  function takeAnother({ id, slot }: Photo) {
    pick({ slot, instead: id }, matchMedia('(pointer: coarse)').matches ? camera : chooser)
  }
  function take(input: HTMLInputElement) {
    const files = [...(input.files ?? [])]
    // Cleared, so that a removed file can be chosen again.
    input.value = ''
    const { slot, instead } = wanted.current
    if (instead !== undefined && files.length > 0) picked.remove(instead)
    void add(files, slot)
    wanted.current = {}
  }
  async function judge(photo: Photo, shown: HTMLImageElement) {
    if (Math.max(shown.naturalWidth, shown.naturalHeight) < MIN_PIXELS)
      setSmall((others) => [...others, photo.preview])
    // A turned photo is shown again. What the seller decided about it holds.
    if (photo.id in doubts) return
    // Without this script, photos are not judged.
    const { doubtAbout } = await import('./doubt.ts').catch(() => ({ doubtAbout: () => undefined }))
    setDoubts((others) => ({ ...others, [photo.id]: doubtAbout(shown) ?? null }))
  }

  const tileOf = (photo: Photo) => ({
    photo,
    share: shares?.[photos.indexOf(photo)],
    onShown: (shown: HTMLImageElement) => void judge(photo, shown),
    onTurn: () => void picked.turn(photo.id),
    onRemove: () => picked.remove(photo.id),
  })
  const extra = photos.filter((photo) => photo.slot >= slots.length)
  const nameOf = (photo: Photo) =>
    slots[photo.slot] ?? t('photos.photo', { number: slots.length + extra.indexOf(photo) + 1 })
  return (
    <fieldset
      {...drop.handlers}
      disabled={disabled}
      className={cx(
        'grid gap-3 rounded-md',
        drop.over && 'outline-2 outline-accent outline-dashed outline-offset-8',
      )}
    >
      <legend className="contents">
        <span className="font-medium text-sm">{label}</span>
      </legend>
      <ul className="grid grid-cols-2 gap-3 empty:hidden md:grid-cols-3">
        {slots.map((slot, index) => {
          const photo = photos.find((candidate) => candidate.slot === index)
          return photo ? (
            <PhotoTile key={slot} {...tileOf(photo)} name={slot} />
          ) : (
            <EmptyTile key={slot} name={slot} slot={index} onPick={() => pick({ slot: index })} />
          )
        })}
        {extra.map((photo) => (
          <PhotoTile key={photo.id} {...tileOf(photo)} name={nameOf(photo)} />
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <input
          ref={chooser}
          name="images"
          type="file"
          multiple
          accept={limits.accept}
          aria-label={label}
          aria-describedby={error ? `${id}-error ${id}-hint` : `${id}-hint`}
          aria-invalid={error ? true : undefined}
          onChange={(event) => take(event.currentTarget)}
          className="peer sr-only"
        />
        <Button
          variant="secondary"
          tabIndex={-1}
          aria-hidden="true"
          disabled={full}
          onClick={() => pick()}
          icon={<Images aria-hidden="true" className="size-5" />}
          className="peer-focus-visible:outline-2 peer-focus-visible:outline-accent peer-focus-visible:outline-offset-2"
        >
          {t(photos.length > 0 ? 'photos.add' : 'photos.choose')}
        </Button>
        <input
          ref={camera}
          type="file"
          accept="image/*"
          capture="environment"
          tabIndex={-1}
          aria-hidden="true"
          onChange={(event) => take(event.currentTarget)}
          className="hidden"
        />
        <span className="hidden pointer-coarse:inline-flex">
          <Button
            variant="secondary"
            disabled={full}
            onClick={() => pick({}, camera)}
            icon={<Camera aria-hidden="true" className="size-5" />}
          >
            {t('photos.take')}
          </Button>
        </span>
        {preparing && (
          <span role="status" className="inline-flex items-center gap-2 text-soft text-sm">
            <Spinner className="size-4" /> {t('photos.preparing')}
          </span>
        )}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      <div className="grid gap-1">
        <div aria-live="polite" className="grid gap-1">
          {refusal && <FieldError>{refusal}</FieldError>}
          {smallCount > 0 && (
            <p className="text-caution text-sm">{t('photos.small', { count: smallCount })}</p>
          )}
          {doubted.map(({ photo, doubt }) => (
            <Notice
              key={photo.id}
              tone="caution"
              title={t(`photos.${doubt}`, { photo: nameOf(photo) })}
              action={
                <span className="flex flex-wrap gap-2">
                  <Button size="sm" variant="secondary" onClick={() => takeAnother(photo)}>
                    {t('photos.takeAnother')}
                  </Button>
                  <Button
                    size="sm"
                    variant="quiet"
                    onClick={() => setDoubts((others) => ({ ...others, [photo.id]: null }))}
                  >
                    {t('photos.useAnyway')}
                  </Button>
                </span>
              }
            >
              {t('photos.doubt')}
            </Notice>
          ))}
        </div>
        <p id={`${id}-hint`} className="text-soft text-xs">
          {t('photos.hint')}
        </p>
        <p className="text-soft text-xs">{t('photos.formats')}</p>
      </div>
    </fieldset>
  )
}

/** Where the next photo goes. */
interface Wanted {
  slot?: number
  /** The id of the photo that it replaces. */
  instead?: number
}

/** The empty slot that files were dropped on. */
function slotOf(element: Element): number | undefined {
  const slot = element.closest('[data-slot]')?.getAttribute('data-slot')
  return slot ? Number(slot) : undefined
}
