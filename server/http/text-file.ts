import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { watchUpload } from './arrival.ts'
import { invalid, Refusal, refusedFields } from './refusal.ts'

/** What the parts of a form may take besides the file. */
const FORM_BYTES = 64 * 1024

/** The text of the one file in a form: see `readTextForm`. */
export async function readTextFile(request: FastifyRequest, maxBytes: number): Promise<string> {
  return (await readTextForm(request, maxBytes)).text
}

interface TextForm {
  readonly text: string
  readonly fields: Readonly<Record<string, string>>
}

/**
 * The text of the one file in a form, named `file`, and the form's fields. Refuses a larger file (413), one that is not text in UTF-8
 * (415), and a form without it (400). Reads the rest of the body after a refusal too, so that a browser shows our error instead of its
 * own.
 *
 * @param orLatin reads what is not UTF-8 as Windows-1252, in which many banks write
 */
export async function readTextForm(
  request: FastifyRequest,
  maxBytes: number,
  { orLatin = false } = {},
): Promise<TextForm> {
  let bytes: Buffer | undefined
  let isTruncated = false
  const fields: Record<string, string> = Object.create(null)
  const endWatch = watchUpload(request, maxBytes + FORM_BYTES)
  try {
    for await (const part of request.parts({
      limits: { files: 2, fields: 10, fieldSize: FORM_BYTES, fileSize: maxBytes },
    })) {
      if (part.type === 'field') fields[part.fieldname] = String(part.value)
      else if (part.fieldname !== 'file' || bytes) part.file.resume()
      else {
        bytes = await readAll(part.file)
        isTruncated = part.file.truncated
      }
    }
  } catch (error) {
    // The parser's limits have their own status. Any other error: the form is malformed or ends too early.
    if (error instanceof Error && 'statusCode' in error) throw error
    throw new Refusal('invalid', 'refusals.form_incomplete')
  } finally {
    endWatch()
  }
  if (isTruncated) throw tooLarge(maxBytes)
  if (!bytes || bytes.length === 0) throw invalid([{ path: 'file', code: 'file_required' }])
  if (bytes.includes(0) || !(isUtf8(bytes) || orLatin)) {
    throw refusedFields('unsupported_body', [{ path: 'file', code: 'file_not_text' }])
  }
  return { text: isUtf8(bytes) ? bytes.toString() : latin.decode(bytes), fields }
}

const latin = new TextDecoder('windows-1252')

async function readAll(file: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of file) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function tooLarge(maxBytes: number): Refusal {
  const params = { maximum: Math.floor(maxBytes / 1024 / 1024) }
  return refusedFields('too_large', [{ path: 'file', code: 'file_too_large', params }])
}
