import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { MAX_CHAT_PHOTOS, MAX_PHOTO_BYTES, MAX_PHOTOS } from '#domain/photo-files.ts'
import { watchUpload } from '#server/http/arrival.ts'
import { invalid, Refusal, refusedFields } from '#server/http/refusal.ts'
import { clientOf } from '#server/http/serve.ts'
import { PhotoDecoderBusy, PhotoRefused } from '#server/platform/photos/errors.ts'
import type { PhotoDecoder } from '#server/platform/photos/photo-decoder.ts'
import { type MemoryShare, UploadMemory } from '#server/platform/photos/upload-memory.ts'
import { digestOf, type ReceivedPhoto } from './photos.ts'

export interface Upload {
  readonly fields: Readonly<Record<string, string>>
  readonly photos: readonly ReceivedPhoto[]
}

/** Limits of the multipart parser; our forms stay well below. */
const PARTS = { files: 30, fields: 40, fieldSize: 16 * 1024, parts: 70 }

/** What the parser replaces invalid UTF-8 with. A text that really contains this character is refused too. */
const NOT_UTF8 = '\ufffd'

/** The name of the photos in the form, and how many may be sent. */
interface PhotoField {
  readonly name: string
  readonly maximum: number
}
const IMAGES: PhotoField = { name: 'images', maximum: MAX_PHOTOS }
export const ONE_PHOTO: PhotoField = { name: 'photo', maximum: 1 }
export const CHAT_PHOTOS: PhotoField = { name: 'images', maximum: MAX_CHAT_PHOTOS }

/** One photo more than allowed, so that too many photos get their own error, plus the fields. */
const maxBytes = ({ maximum }: PhotoField) => (maximum + 1) * MAX_PHOTO_BYTES + 2 * 1024 * 1024

const uploadMemory = new UploadMemory(64 * 1024 * 1024)

/** Reads an upload and calls `work` with it. Its memory stays reserved until the work is done. */
export async function withUpload<T>(
  request: FastifyRequest,
  decoder: PhotoDecoder,
  work: (upload: Upload) => Promise<T>,
  field = IMAGES,
): Promise<T> {
  const owner = clientOf(request)
  const intake: Intake = { chunks: [], photos: [] }
  const lost = new AbortController()
  const share = uploadMemory.open(owner, () => {
    intake.chunks.length = 0
    intake.photos.length = 0
    lost.abort()
  })
  try {
    return await work(
      await receiveUpload(request, { decoder, share, owner, intake, lost: lost.signal, field }),
    )
  } finally {
    share.close()
  }
}

/** What one upload keeps in memory. */
interface Intake {
  /** The part of the current photo that has arrived. */
  readonly chunks: Buffer[]
  readonly photos: Promise<ReceivedPhoto>[]
}

interface Receiver {
  readonly decoder: PhotoDecoder
  readonly share: MemoryShare
  /** The seller or address that uploads: owners take turns at the decoder. */
  readonly owner: string
  readonly intake: Intake
  /** Aborted when the upload loses its memory to others. */
  readonly lost: AbortSignal
  readonly field: PhotoField
}

/** Maximum photos of one upload that are in memory undecoded. */
const MAX_UNDECODED = 2

/**
 * Reads a multipart body: its fields and its photos, which are decoded as they arrive. Reads the rest of the
 * body after a refusal too, because a browser that is cut off while it sends shows its own error instead of ours.
 */
async function receiveUpload(request: FastifyRequest, receiver: Receiver): Promise<Upload> {
  const fields: Record<string, string> = Object.create(null)
  const { photos } = receiver.intake
  const { name, maximum } = receiver.field
  let refusal: unknown
  const endWatch = watchUpload(request, maxBytes(receiver.field))
  try {
    for await (const part of request.parts({ limits: { ...PARTS, fileSize: MAX_PHOTO_BYTES } })) {
      if (part.type === 'field') {
        if (part.valueTruncated) refusal ??= invalid([{ path: part.fieldname, code: 'text_too_long' }])
        else if (String(part.value).includes(NOT_UTF8))
          refusal ??= invalid([{ path: part.fieldname, code: 'text_not_utf8' }])
        else fields[part.fieldname] = String(part.value)
      } else if (refusal || part.fieldname !== name) {
        part.file.resume()
      } else if (photos.length === maximum) {
        refusal = invalid([{ path: name, code: 'too_many_photos', params: { maximum } }])
        part.file.resume()
      } else {
        try {
          await photos.at(-MAX_UNDECODED)
          photos.push(decodePhoto(await receivePhoto(part.file, receiver), receiver))
        } catch (error) {
          refusal = photoRefusal(error, name)
          part.file.resume()
        }
      }
    }
  } catch (error) {
    // The parser's limits have their own status. Any other error: the form is malformed or ends too early.
    throw error instanceof Error && 'statusCode' in error ? error : brokenOff()
  } finally {
    endWatch()
    // Photos that are still being decoded keep their memory reserved.
    await Promise.allSettled(photos)
  }
  if (refusal) throw refusal
  return { fields, photos: await allOf(receiver) }
}

/** The decoded photos. Throws the first refusal. */
async function allOf({ intake, share, field }: Receiver): Promise<ReceivedPhoto[]> {
  try {
    const photos = await Promise.all(intake.photos)
    share.pin()
    return photos
  } catch (error) {
    throw photoRefusal(error, field.name)
  }
}

async function receivePhoto(
  file: Readable & { readonly truncated: boolean },
  { share, intake: { chunks } }: Receiver,
): Promise<Buffer> {
  // Keeps the stream open after an error, so that the rest of the body can still be read.
  try {
    for await (const chunk of file.iterator({ destroyOnReturn: false })) {
      share.reserve(chunk.length)
      chunks.push(chunk)
    }
  } catch (error) {
    throw error instanceof PhotoDecoderBusy ? error : brokenOff()
  }
  if (file.truncated) throw new Refusal('too_large', 'refusals.photo_too_large')
  return Buffer.concat(chunks.splice(0))
}

function decodePhoto(bytes: Buffer, { decoder, share, owner, lost }: Receiver): Promise<ReceivedPhoto> {
  const decoding = decoder.decode(bytes, owner, lost).then((decoded) => {
    share.free(bytes.length)
    share.reserve(decoded.image.length + decoded.thumbnail.length)
    return { ...decoded, digest: digestOf(bytes) }
  })
  // Reported with the next photo, or at the end.
  decoding.catch(() => undefined)
  return decoding
}

const brokenOff = () => new Refusal('invalid', 'refusals.form_incomplete')

const refusals = {
  not_an_image: ['not_an_image', 'photo_format'],
  unreadable: ['not_an_image', 'photo_unreadable'],
  too_many_pixels: ['too_large', 'photo_pixels'],
  too_heavy: ['too_large', 'photo_too_heavy'],
} as const

function photoRefusal(error: unknown, path: string): unknown {
  if (error instanceof PhotoRefused) {
    const [code, field] = refusals[error.reason]
    return refusedFields(code, [{ path, code: field }])
  }
  if (error instanceof PhotoDecoderBusy) {
    return new Refusal('busy', 'refusals.crowded_photos', { retryAfter: error.retryAfter })
  }
  return error
}
