import { useEffect, useRef, useState } from 'react'
import { shrinkPhoto } from './shrink.ts'

export interface Photo {
  id: number
  file: File
  /** An address of this page's memory, for the preview. */
  preview: string
  /** Where it stands: the named places come first. */
  place: number
}

export interface PhotoLimits {
  max: number
  maxBytes: number
  /** Types and extensions, as in a file input's `accept`. */
  accept: string
}

/** The photos that were picked so far; several picks add up. */
export function usePhotos({ max, maxBytes, accept }: PhotoLimits) {
  const [photos, setPhotos] = useState<readonly Photo[]>([])
  const [preparing, setPreparing] = useState(0)
  const [refusal, setRefusal] = useState<string>()
  const latest = useRef(photos)
  const lastId = useRef(0)

  function change(next: readonly Photo[]) {
    latest.current = next
    setPhotos([...next].sort((a, b) => a.place - b.place))
  }

  useEffect(
    () => () => {
      for (const { preview } of latest.current) URL.revokeObjectURL(preview)
    },
    [],
  )

  /** @param wanted the place of the first one, when a named place was pressed */
  async function add(files: readonly File[], wanted?: number) {
    const images = files.filter((file) => isImage(file, accept))
    const complaints = images.length < files.length ? ['Only images can be added.'] : []
    setPreparing((count) => count + images.length)
    let next = wanted
    for (const image of images) {
      const file = await shrinkPhoto(image)
      setPreparing((count) => count - 1)
      if (file.size > maxBytes) complaints.push(`${file.name} is larger than ${inMegabytes(maxBytes)}.`)
      else if (latest.current.length >= max) complaints.push(`No more than ${max} photos can be added.`)
      else {
        lastId.current += 1
        const place = freePlace(latest.current, next)
        change([...latest.current, { id: lastId.current, file, preview: URL.createObjectURL(file), place }])
        next = undefined
      }
    }
    setRefusal([...new Set(complaints)].join(' ') || undefined)
  }

  function remove(id: number) {
    const gone = latest.current.find((photo) => photo.id === id)
    if (gone) URL.revokeObjectURL(gone.preview)
    setRefusal(undefined)
    change(latest.current.filter((photo) => photo.id !== id))
  }

  return { photos, preparing: preparing > 0, refusal, add, remove }
}

function freePlace(photos: readonly Photo[], wanted: number | undefined): number {
  const taken = new Set(photos.map((photo) => photo.place))
  if (wanted !== undefined && !taken.has(wanted)) return wanted
  let place = 0
  while (taken.has(place)) place += 1
  return place
}

// Many systems know no type for HEIC files, so that the extension counts too.
function isImage(file: File, accept: string): boolean {
  const extension = /\.[^.]+$/.exec(file.name)?.[0].toLowerCase()
  return file.type.startsWith('image/') || (extension !== undefined && accept.split(',').includes(extension))
}

function inMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`
}
