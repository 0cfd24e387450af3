import { useEffect, useRef, useState } from 'react'
import { complain, noComplaints } from './complaints.ts'
import { shrinkPhoto, turnPhoto } from './encode.ts'

export interface Photo {
  id: number
  /** What is sent. */
  file: File
  /** The same before it was turned. */
  original: File
  /** Quarters of a turn, clockwise. */
  turned: number
  /** An address of this page's memory, for the preview. */
  preview: string
  /** Where it stands: the named places come first. */
  place: number
}

interface PhotoLimits {
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
    latest.current = [...next].sort((a, b) => a.place - b.place)
    setPhotos(latest.current)
  }

  useEffect(
    () => () => {
      for (const { preview } of latest.current) URL.revokeObjectURL(preview)
    },
    [],
  )

  /** @param wanted the place of the first one, when a named place was pressed or dropped on */
  async function add(files: readonly File[], wanted?: number) {
    const images = files.filter((file) => isImage(file, accept))
    const complaints = { ...noComplaints(), notImages: files.length - images.length }
    setRefusal(undefined)
    setPreparing((count) => count + images.length)
    let next = wanted
    for (const image of images) {
      const isFull = () => latest.current.length >= max
      // Not even looked at when there is no place: thirty photos would keep a phone busy for a minute.
      const file = isFull() ? undefined : await shrinkPhoto(image)
      setPreparing((count) => count - 1)
      if (!file || isFull()) complaints.full += 1
      else if (file.size > maxBytes) complaints.tooLarge.push(file.name)
      else {
        put(file, next)
        next = undefined
      }
    }
    setRefusal(complain(complaints, { max, maxBytes }))
  }

  function put(file: File, wanted: number | undefined) {
    lastId.current += 1
    const place = freePlace(latest.current, wanted)
    const preview = URL.createObjectURL(file)
    change([...latest.current, { id: lastId.current, file, original: file, turned: 0, preview, place }])
  }

  function remove(id: number) {
    const gone = latest.current.find((photo) => photo.id === id)
    if (gone) URL.revokeObjectURL(gone.preview)
    setRefusal(undefined)
    change(latest.current.filter((photo) => photo.id !== id))
  }

  /** A quarter clockwise. */
  async function turn(id: number) {
    const photo = latest.current.find((candidate) => candidate.id === id)
    if (!photo) return
    const turned = (photo.turned + 1) % 4
    // Counted at once, so that two quick presses make half a turn.
    replace(id, { turned })
    setPreparing((count) => count + 1)
    const file = await turnPhoto(photo.original, turned).catch(() => undefined)
    setPreparing((count) => count - 1)
    const now = latest.current.find((candidate) => candidate.id === id)
    // Removed or turned on meanwhile.
    if (!file || now?.turned !== turned) return
    URL.revokeObjectURL(now.preview)
    replace(id, { file, preview: URL.createObjectURL(file) })
  }

  function replace(id: number, part: Partial<Photo>) {
    change(latest.current.map((photo) => (photo.id === id ? { ...photo, ...part } : photo)))
  }

  return { photos, preparing: preparing > 0, refusal, add, remove, turn }
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
