import type { Answer, ParamsInput, Route } from '#contract/route.ts'
import { translate } from '#web/words/words.ts'
import { addressOf } from './call.ts'
import { ApiError, offline, parseJson, readError } from './errors.ts'

export interface Upload<R extends Route> {
  params?: ParamsInput<R>
  fields: Readonly<Record<string, string>>
  files: readonly File[]
  /** The name of the files in the form. Default: `images`. */
  filesName?: string
  idempotencyKey?: string
  /** Called with the share that was sent, 0 to 1. */
  onProgress?: (share: number) => void
  /** Stops the upload. Once everything was sent it has no effect, and the answer is awaited. */
  signal?: AbortSignal
}

/** Sends a multipart call. Uses XMLHttpRequest because fetch reports no upload progress. @throws ApiError */
export function upload<R extends Route>(route: R, options: Upload<R>): Promise<Answer<R>> {
  const { params, fields, files, filesName = 'images', idempotencyKey, onProgress, signal } = options
  return new Promise((resolve, reject: (error: ApiError) => void) => {
    const request = new XMLHttpRequest()
    request.open(route.method, addressOf(route, params))
    request.setRequestHeader('Accept-Language', translate().locale)
    if (idempotencyKey) request.setRequestHeader('Idempotency-Key', idempotencyKey)
    request.upload.onprogress = ({ lengthComputable, loaded, total }) => {
      if (lengthComputable && total > 0) onProgress?.(loaded / total)
    }
    const stop = () => request.abort()
    signal?.addEventListener('abort', stop)
    request.upload.onload = () => signal?.removeEventListener('abort', stop)
    request.onload = () => {
      if (request.status < 200 || request.status >= 300) {
        reject(readError(route, request.status, request.responseText))
        return
      }
      const answer = parseJson(request.responseText)
      if (answer === undefined) reject(readError(route, request.status, ''))
      else resolve(answer as Answer<R>)
    }
    request.onerror = () => reject(offline())
    request.onabort = () => reject(new ApiError(0, 'aborted', translate()('site.error.uploadStopped')))
    request.send(toForm(fields, files, filesName))
  })
}

function toForm(fields: Readonly<Record<string, string>>, files: readonly File[], name: string): FormData {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  for (const file of files) form.append(name, file)
  return form
}
