import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Translate } from '#words/translate.ts'
import { whenOnline } from '../lazy-component.ts'

export interface Photo {
  id: number
  /** The file to upload. */
  file: File
  /** The file as it was chosen. */
  chosen: File
  /** The file before any turn. */
  original: File
  /** Clockwise. */
  quarterTurns: number
  /** An object URL. */
  preview: string
  /** Its position, from 0. The named slots come first. */
  slot: number
  /** Of a submission that was rejected for its photos: another one is needed instead of it, or beside it if it was fine. */
  earlier?: 'rejected' | 'fine' | undefined
}

/** What is worth keeping of a photo. */
export type KeptPhoto = Pick<Photo, 'file' | 'slot' | 'earlier'>

/** The photos of each set at the start, and what to do when a set changes. */
interface PhotoKeeper {
  start: ReadonlyMap<string, readonly KeptPhoto[]>
  onChange: (name: string, photos: readonly Photo[]) => void
}

interface PhotoLimits {
  max: number
  maxBytes: number
  /** Types and extensions, as in a file input's `accept`. */
  accept: string
}

/** What `PhotoPicker` needs. */
export type Photos = ReturnType<ReturnType<typeof usePhotoSets>>

/** The photos added so far. */
export function usePhotos(limits: PhotoLimits): Photos {
  return usePhotoSets(limits)('')
}

/** Several sets of photos, by name: one for each of several cards. */
export function usePhotoSets(limits: PhotoLimits, keeper?: PhotoKeeper) {
  const { max, maxBytes, accept } = limits
  const [sets, setSets] = useState<Readonly<Record<string, PhotoSet>>>({})
  const latest = useRef(sets)
  const lastId = useRef(0)

  const setOf = (name: string) => latest.current[name] ?? emptySet
  function change(name: string, part: Partial<PhotoSet>) {
    latest.current = { ...latest.current, [name]: { ...setOf(name), ...part } }
    setSets(latest.current)
  }
  function changePhotos(name: string, photos: readonly Photo[]) {
    const sorted = [...photos].sort((a, b) => a.slot - b.slot)
    change(name, { photos: sorted })
    keeper?.onChange(name, sorted)
  }
  const prepare = (name: string, more: number) => change(name, { preparing: setOf(name).preparing + more })

  const begin = useEffectEvent(() => {
    for (const [name, photos] of keeper?.start ?? [])
      for (const photo of photos) put(name, photo.file, photo.slot, photo)
  })
  useEffect(() => {
    begin()
    return () => {
      const photos = Object.values(latest.current).flatMap((set) => set.photos)
      latest.current = {}
      for (const { preview } of photos) URL.revokeObjectURL(preview)
    }
  }, [])

  /** @param wanted the slot for the first photo, if a slot was pressed or dropped on */
  async function add(name: string, files: readonly File[], wanted?: number) {
    const refused: RejectedFiles = { notImages: 0, damaged: 0, overLimit: 0, tooLarge: [] }
    change(name, { rejected: undefined })
    prepare(name, files.length)
    let next = wanted
    for (const chosen of files) {
      const isFull = () => setOf(name).photos.length >= max
      const isPhoto = await startsLikePhoto(chosen)
      const isKnown = isPhoto && setOf(name).photos.some((photo) => isSameFile(photo.chosen, chosen))
      // Photos over the limit are not decoded: thirty would keep a phone busy for a minute.
      const file = isPhoto && !isKnown && !isFull() ? await shrunk(chosen) : undefined
      prepare(name, -1)
      if (!isPhoto) refused[chosen.type && accept.includes(chosen.type) ? 'damaged' : 'notImages'] += 1
      else if (isKnown) refused.known = true
      else if (!file || isFull()) refused.overLimit += 1
      else if (file.size > maxBytes) refused.tooLarge.push(file.name)
      else {
        put(name, file, next, { chosen })
        next = undefined
      }
    }
    change(name, { rejected: refused })
  }

  function put(
    name: string,
    file: File,
    wanted: number | undefined,
    { earlier, chosen = file }: Partial<Photo> = {},
  ) {
    lastId.current += 1
    const { photos } = setOf(name)
    const slot = freeSlot(photos, wanted)
    const preview = URL.createObjectURL(file)
    const id = lastId.current
    const added = { id, file, chosen, original: file, quarterTurns: 0, preview, slot, earlier }
    changePhotos(name, [...photos, added])
  }

  function remove(name: string, id: number) {
    const { photos } = setOf(name)
    const gone = photos.find((photo) => photo.id === id)
    if (gone) URL.revokeObjectURL(gone.preview)
    change(name, { rejected: undefined })
    changePhotos(
      name,
      photos.filter((photo) => photo.id !== id),
    )
  }

  /** Turns a photo a quarter clockwise. */
  async function turn(name: string, id: number) {
    const find = () => setOf(name).photos.find((photo) => photo.id === id)
    const photo = find()
    if (!photo) return
    const quarterTurns = (photo.quarterTurns + 1) % 4
    // Updated before encoding, so that two quick presses make a half turn.
    replace(name, id, { quarterTurns })
    prepare(name, 1)
    const file = await loadEncoder()
      .then(({ turnPhoto }) => turnPhoto(photo.original, quarterTurns))
      .catch(() => undefined)
    prepare(name, -1)
    const now = find()
    // It was removed or turned again in the meantime.
    if (!file || now?.quarterTurns !== quarterTurns) return
    URL.revokeObjectURL(now.preview)
    replace(name, id, { file, preview: URL.createObjectURL(file) })
  }

  function replace(name: string, id: number, part: Partial<Photo>) {
    const { photos } = setOf(name)
    changePhotos(
      name,
      photos.map((photo) => (photo.id === id ? { ...photo, ...part } : photo)),
    )
  }

  return (name: string) => {
    const { photos, preparing, rejected } = sets[name] ?? emptySet
    return {
      photos,
      preparing: preparing > 0,
      limits,
      rejected,
      add: (files: readonly File[], wanted?: number) => add(name, files, wanted),
      remove: (id: number) => remove(name, id),
      turn: (id: number) => turn(name, id),
    }
  }
}

interface PhotoSet {
  photos: readonly Photo[]
  /** How many are being shrunk or turned. */
  preparing: number
  rejected: RejectedFiles | undefined
}

const emptySet: PhotoSet = { photos: [], preparing: 0, rejected: undefined }

function freeSlot(photos: readonly Photo[], wanted: number | undefined): number {
  const taken = new Set(photos.map((photo) => photo.slot))
  if (wanted !== undefined && !taken.has(wanted)) return wanted
  let slot = 0
  while (taken.has(slot)) slot += 1
  return slot
}

/** Without the date: phones give a photo a new one each time that it is chosen. */
const isSameFile = (a: File, b: File): boolean => a.name === b.name && a.size === b.size

/** JPEG, PNG, GIF, WebP, and HEIC or AVIF. */
const PHOTO_START = /^(\xff\xd8\xff|\x89PNG|GIF8|RIFF.{4}WEBP|.{4}ftyp)/s

/** By its bytes, which decide on the server too. Names and types can be wrong. False for a file that cannot be read. */
async function startsLikePhoto(file: File): Promise<boolean> {
  const start = await file
    .slice(0, 12)
    .arrayBuffer()
    .catch(() => new ArrayBuffer(0))
  return PHOTO_START.test(String.fromCharCode(...new Uint8Array(start)))
}

/** Files that were not added, by reason. */
interface RejectedFiles {
  notImages: number
  /** Not images, although their names say so. */
  damaged: number
  /** Some were added before. */
  known?: boolean
  overLimit: number
  tooLarge: string[]
}

/** File names to list before "and 3 more". */
const MAX_NAMES = 3

/** Why files were not added, or undefined if all were. */
export function rejectionText(
  t: Translate,
  { notImages, damaged, known, overLimit, tooLarge }: RejectedFiles,
  { max, maxBytes }: Pick<PhotoLimits, 'max' | 'maxBytes'>,
): string | undefined {
  const sentences: string[] = []
  if (notImages > 0) sentences.push(t('photos.notImages'))
  if (damaged > 0) sentences.push(t('photos.damaged'))
  if (known) sentences.push(t('photos.known'))
  if (tooLarge.length > 0) {
    const megabytes = Math.round(maxBytes / 1024 / 1024)
    const names = tooLarge.slice(0, MAX_NAMES).join(', ')
    const more = Math.max(0, tooLarge.length - MAX_NAMES)
    sentences.push(t('photos.tooLarge', { megabytes, names, more }))
  }
  if (overLimit > 0) sentences.push(t('photos.overLimit', { max, left: overLimit }))
  return sentences.join(' ') || undefined
}

/**
 * How much of each photo was sent, 0 to 1. One upload sends them in order, so this follows from their sizes.
 * @param sizes in bytes, in the order of the upload
 * @param sent the share of the whole upload
 */
export function sharesOfPhotos(sizes: readonly number[], sent: number): number[] {
  let left = sent * sizes.reduce((sum, size) => sum + size, 0)
  return sizes.map((size) => {
    const share = size === 0 ? 1 : Math.min(1, Math.max(0, left / size))
    left -= size
    return share
  })
}

/** Loaded with the first photo. */
const loadEncoder = () => whenOnline(() => import('./encode.ts'))

/** The photo as it is if the encoder cannot be loaded. */
async function shrunk(photo: File): Promise<File> {
  const encoder = await loadEncoder().catch(() => undefined)
  return encoder ? encoder.shrinkPhoto(photo) : photo
}
