import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import type { ErrorBody, ErrorCode, FieldError } from '#contract/errors.ts'
import { QueueFull } from '#server/platform/concurrency-limit.ts'
import { isUnavailable } from '#server/platform/database/errors.ts'
import { PhotoDecoderDown, PhotoStorageUnavailable } from '#server/platform/photos/errors.ts'
import { VaultError } from '#server/platform/vault/seal.ts'
import { invalid, Refusal } from './refusal.ts'
import { REQUEST_ID_HEADER } from './trace-requests.ts'

/** Answers everything a handler throws with the same error body. Details of unexpected errors only go to the log. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendRefusal(toRefusal(error, request), reply))
}

/** Answers addresses the router cannot parse. No hook runs for them. */
export function refuseAddress(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  sendRefusal(toRefusal(error, request), reply.header(REQUEST_ID_HEADER, request.id))
}

export function sendRefusal(refusal: Refusal, reply: FastifyReply): FastifyReply {
  reply.request.refusedAs = refusal.code
  if (refusal.retryAfter !== undefined) reply.header('retry-after', String(refusal.retryAfter))
  const body: ErrorBody = { message: refusal.message, code: refusal.code }
  if (refusal.errors) body.errors = [...refusal.errors]
  return reply.code(refusal.status).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

function toRefusal(error: unknown, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof QueueFull) {
    return new Refusal('busy', 'Too many people are here at once. Please try again in a moment.', {
      retryAfter: 5,
    })
  }
  if (hasZodFastifySchemaValidationErrors(error)) return invalid(fieldErrors(error.validation))
  const known = isHttpError(error) ? httpRefusal(error) : undefined
  if (known) return known
  if (isUnavailable(error) || error instanceof PhotoStorageUnavailable || error instanceof PhotoDecoderDown) {
    request.log.error({ err: error }, 'database, photo storage or photo decoder unavailable')
    return new Refusal('busy', 'The service is not ready. Please try again in a moment.', { retryAfter: 5 })
  }
  if (error instanceof VaultError) {
    request.log.error({ err: error }, 'encrypted data cannot be read')
    return new Refusal('unreadable', 'This data cannot be decrypted: it was changed, or its key is missing.')
  }
  request.log.error({ err: error }, 'request failed')
  return new Refusal('internal', 'Something went wrong on our side. Please try again.')
}

/** Parses a value with a schema of the contract. Throws a `Refusal` that names every invalid field. */
export function parseWith<S extends z.ZodType>(schema: S, sent: unknown): z.output<S> {
  const parsed = schema.safeParse(sent)
  if (parsed.success) return parsed.data
  throw invalid(zodErrors(parsed.error))
}

/** The first error of each field. */
export function zodErrors({ issues }: z.ZodError): FieldError[] {
  return fieldErrors(issues.map(({ path, message }) => ({ instancePath: `/${path.join('/')}`, message })))
}

function fieldErrors(
  problems: readonly { instancePath: string; message?: string | undefined }[],
): FieldError[] {
  const errors = new Map<string, string>()
  for (const { instancePath, message } of problems) {
    const path = instancePath.replace(/^\//, '').replaceAll('/', '.')
    if (!errors.has(path)) errors.set(path, message ?? 'Not valid')
  }
  return [...errors].map(([path, message]) => ({ path, message }))
}

function isHttpError(error: unknown): error is FastifyError {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
}

const byCode: Readonly<Record<string, [ErrorCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_body', 'The body must be JSON'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: ['unsupported_body', 'The body must be multipart/form-data'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'The request is too large'],
}

const byStatus: Readonly<Record<number, [ErrorCode, string]>> = {
  400: ['invalid', 'The request is not valid'],
  // @fastify/static refuses paths outside its folder with 403. Such files do not exist for the client.
  403: ['not_found', 'Not found'],
  404: ['not_found', 'Not found'],
  413: ['too_large', 'The request is too large'],
  414: ['invalid', 'The address is too long'],
  415: ['unsupported_body', 'The body must be JSON'],
  431: ['invalid', 'The headers of the request are too large'],
}

function httpRefusal(error: FastifyError): Refusal | undefined {
  const known = byCode[error.code] ?? byStatus[error.statusCode ?? 0]
  return known && new Refusal(...known)
}
