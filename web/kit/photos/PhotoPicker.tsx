import { Camera, Images } from 'lucide-react'
import { useId, useRef } from 'react'
import { Button } from '../Button.tsx'
import { cx } from '../cx.ts'
import { FieldError } from '../Field.tsx'
import { Spinner } from '../Spinner.tsx'
import { useDrop, usePaste } from './drop-and-paste.ts'
import { EmptyTile, PhotoTile } from './PhotoTile.tsx'
import type { Photo, usePhotos } from './use-photos.ts'

interface PhotoPickerProps {
  /** The name of the file input. */
  name: string
  label: string
  hint: string
  error?: string | undefined
  accept: string
  max: number
  /** Photos that are asked for by name: Front and Back. */
  places: readonly string[]
  picked: ReturnType<typeof usePhotos>
  disabled?: boolean
  /** While they are sent: how much of each one, 0 to 1. */
  shares?: readonly number[] | undefined
}

/** Photos by choosing, dropping, pasting or taking them, with previews; several picks add up. */
export function PhotoPicker({
  name,
  label,
  hint,
  error,
  accept,
  max,
  places,
  picked,
  disabled,
  shares,
}: PhotoPickerProps) {
  const id = useId()
  const chooser = useRef<HTMLInputElement>(null)
  const camera = useRef<HTMLInputElement>(null)
  const wanted = useRef<number>(undefined)
  const { photos, add, preparing, refusal } = picked
  const full = photos.length >= max
  const drop = useDrop((files, on) => !disabled && add(files, placeOf(on)))
  usePaste((files) => !disabled && add(files))

  function pick(place?: number) {
    wanted.current = place
    chooser.current?.click()
  }
  function take(input: HTMLInputElement) {
    const files = [...(input.files ?? [])]
    // Emptied, so that the same file can be chosen again after it was removed.
    input.value = ''
    void add(files, wanted.current)
    wanted.current = undefined
  }

  const tileOf = (photo: Photo) => ({
    photo,
    share: shares?.[photos.indexOf(photo)],
    onTurn: () => void picked.turn(photo.id),
    onRemove: () => picked.remove(photo.id),
  })
  const extra = photos.filter((photo) => photo.place >= places.length)
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
        {places.map((place, index) => {
          const photo = photos.find((candidate) => candidate.place === index)
          return photo ? (
            <PhotoTile key={place} {...tileOf(photo)} name={place} />
          ) : (
            <EmptyTile key={place} name={place} place={index} onPick={() => pick(index)} />
          )
        })}
        {extra.map((photo, index) => (
          <PhotoTile key={photo.id} {...tileOf(photo)} name={`Photo ${places.length + index + 1}`} />
        ))}
      </ul>
      <div className="flex flex-wrap items-center gap-2">
        <input
          ref={chooser}
          name={name}
          type="file"
          multiple
          accept={accept}
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
          {photos.length > 0 ? 'Add more photos' : 'Choose photos'}
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
            Take photo
          </Button>
        </span>
        {preparing && (
          <span role="status" className="inline-flex items-center gap-2 text-soft text-sm">
            <Spinner className="size-4" /> Preparing photos...
          </span>
        )}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      <div className="grid gap-1">
        <div aria-live="polite">{refusal && <FieldError>{refusal}</FieldError>}</div>
        <p id={`${id}-hint`} className="text-soft text-xs">
          {hint}
        </p>
      </div>
    </fieldset>
  )
}

/** The empty place that something was dropped on. */
function placeOf(element: Element): number | undefined {
  const place = element.closest('[data-place]')?.getAttribute('data-place')
  return place ? Number(place) : undefined
}
