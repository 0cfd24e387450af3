import { Camera, Images } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useWords } from '#web/words/words.ts'
import { Button } from '../Button.tsx'
import { cx } from '../cx.ts'
import { FieldError } from '../Field.tsx'
import { Spinner } from '../Spinner.tsx'
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
  const wanted = useRef<number>(undefined)
  const { photos, add, preparing, limits } = picked
  const full = photos.length >= limits.max
  const refusal = picked.rejected && rejectionText(t, picked.rejected, limits)
  const [small, setSmall] = useState<readonly string[]>([])
  const smallCount = photos.filter(({ preview }) => small.includes(preview)).length
  const drop = useDrop((files, on) => !disabled && add(files, slotOf(on)))
  usePaste((files) => !disabled && add(files))

  function pick(slot?: number) {
    wanted.current = slot
    chooser.current?.click()
  }
  function take(input: HTMLInputElement) {
    const files = [...(input.files ?? [])]
    // Cleared, so that a removed file can be chosen again.
    input.value = ''
    void add(files, wanted.current)
    wanted.current = undefined
  }

  const tileOf = (photo: Photo) => ({
    photo,
    share: shares?.[photos.indexOf(photo)],
    onShown: (pixels: number) => pixels < MIN_PIXELS && setSmall((others) => [...others, photo.preview]),
    onTurn: () => void picked.turn(photo.id),
    onRemove: () => picked.remove(photo.id),
  })
  const extra = photos.filter((photo) => photo.slot >= slots.length)
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
            <EmptyTile key={slot} name={slot} slot={index} onPick={() => pick(index)} />
          )
        })}
        {extra.map((photo, index) => (
          <PhotoTile
            key={photo.id}
            {...tileOf(photo)}
            name={t('photos.photo', { number: slots.length + index + 1 })}
          />
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
            onClick={() => camera.current?.click()}
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
        </div>
        <p id={`${id}-hint`} className="text-soft text-xs">
          {t('photos.hint')}
        </p>
      </div>
    </fieldset>
  )
}

/** The empty slot that files were dropped on. */
function slotOf(element: Element): number | undefined {
  const slot = element.closest('[data-slot]')?.getAttribute('data-slot')
  return slot ? Number(slot) : undefined
}
