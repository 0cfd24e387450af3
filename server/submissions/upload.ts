import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { MAX_PHOTO_BYTES, MAX_PHOTOS } from '#domain/photo-files.ts'
import { invalid, Refusal } from '#server/http/refusal.ts'
import type { DecodedPhoto } from '#server/photos/decode.ts'
import { PhotoDecoderBusy, PhotoRefused } from '#server/photos/errors.ts'
import type { PhotoDecoder } from '#server/photos/photo-decoder.ts'

/** A photo as it arrived, decoded. */
export interface ReceivedPhoto extends DecodedPhoto {
  /** SHA-256 of the bytes as sent: tells whether two uploads are the same. */
  readonly digest: string
}

export interface Upload {
  readonly fields: Readonly<Record<string, string>>
  readonly photos: readonly ReceivedPhoto[]
}

/** More parts than this are no form of ours. */
const PARTS = { files: 30, fields: 40, fieldSize: 16 * 1024, parts: 70 }

/**
 * Reads a multipart body: its fields, and the photos under `images`, each decoded as it arrives, so that one
 * request never holds more than one photo as it was sent. After a refusal the rest of the body is still read
 * off the wire: a browser that is cut off while it sends shows its own error and not ours.
 */
export async function receiveUpload(request: FastifyRequest, decoder: PhotoDecoder): Promise<Upload> {
  if (!request.isMultipart()) throw new Refusal('unsupported_body', 'The body must be multipart/form-data')
  const fields: Record<string, string> = Object.create(null)
  const photos: ReceivedPhoto[] = []
  let refusal: unknown
  const parts = request.parts({ limits: { ...PARTS, fileSize: MAX_PHOTO_BYTES } })
  for await (const part of parts) {
    if (part.type === 'field') {
      if (part.valueTruncated)
        refusal ??= invalid([{ path: part.fieldname, message: 'This text is too long' }])
      else fields[part.fieldname] = String(part.value)
    } else if (refusal || part.fieldname !== 'images') {
      part.file.resume()
    } else if (photos.length === MAX_PHOTOS) {
      refusal = invalid([{ path: 'images', message: `At most ${MAX_PHOTOS} photos can be sent` }])
      part.file.resume()
    } else {
      try {
        photos.push(await receivePhoto(part, decoder))
      } catch (error) {
        refusal = error
        part.file.resume()
      }
    }
  }
  if (refusal) throw refusal
  return { fields, photos }
}

async function receivePhoto(
  part: { toBuffer(): Promise<Buffer>; file: { truncated: boolean } },
  decoder: PhotoDecoder,
): Promise<ReceivedPhoto> {
  const bytes = await part.toBuffer()
  if (part.file.truncated) throw new Refusal('too_large', 'Each photo may have at most 10 MB')
  const digest = createHash('sha256').update(bytes).digest('base64')
  try {
    return { ...(await decoder.decode(bytes)), digest }
  } catch (error) {
    throw photoRefusal(error)
  }
}

const refusals = {
  not_an_image: ['not_an_image', 'Photos must be JPEG, PNG, WebP, GIF, AVIF or HEIC images'],
  unreadable: ['not_an_image', 'This photo cannot be read. Please take it again or choose another.'],
  too_many_pixels: ['too_large', 'Photos may have at most 40 megapixels'],
} as const

function photoRefusal(error: unknown): unknown {
  if (error instanceof PhotoRefused) {
    const [code, message] = refusals[error.reason]
    return new Refusal(code, message, { errors: [{ path: 'images', message }] })
  }
  if (error instanceof PhotoDecoderBusy) {
    return new Refusal('busy', 'Many photos are arriving just now. Please try again in a moment.', {
      retryAfter: error.retryAfter,
    })
  }
  return error
}
