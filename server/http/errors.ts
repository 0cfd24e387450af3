import type {
  FastifyError,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  FastifySchemaCompiler,
} from 'fastify'
import { ResponseSerializationError } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import type { ErrorBody, ErrorCode } from '#contract/errors.ts'
import { parse } from '#contract/field-errors.ts'
import type { Words } from '#server/context.ts'
import { QueueFull } from '#server/platform/concurrency-limit.ts'
import { isUnavailable } from '#server/platform/database/errors.ts'
import { PhotoDecoderDown, PhotoStorageUnavailable } from '#server/platform/photos/errors.ts'
import { VaultError } from '#server/platform/vault/seal.ts'
import type { FieldCode, Key } from '#words/keys.ts'
import type { Translate } from '#words/translate.ts'
import { localeOf } from './language.ts'
import { invalid, Refusal, toFieldError, valuesOf } from './refusal.ts'
import { REQUEST_ID_HEADER } from './trace-requests.ts'

/** Answers everything a handler throws with the same error body. Details of unexpected errors only go to the log. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler((error, request, reply) => sendRefusal(toRefusal(error, request), reply))
}

/** Answers addresses the router cannot parse. No hook runs for them, and their requests have no `words`. */
export function addressRefuser(words: Words) {
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    reply.header(REQUEST_ID_HEADER, request.id)
    sendRefusal(toRefusal(error, request), reply, words[localeOf(request)])
  }
}

export function sendRefusal(
  refusal: Refusal,
  reply: FastifyReply,
  words: Translate = reply.request.words,
): FastifyReply {
  reply.request.refusedAs = refusal.code
  if (refusal.retryAfter !== undefined) reply.header('retry-after', String(refusal.retryAfter))
  const errors = refusal.errors?.map((error) => toFieldError(error, words))
  const params = valuesOf(refusal.params, words)
  const body: ErrorBody = {
    message: (refusal.key === 'refusals.invalid' && errors?.[0]?.message) || words(refusal.key, params),
    code: refusal.code,
    ...(params && { params }),
    ...(errors && { errors }),
  }
  return reply.code(refusal.status).type('application/json; charset=utf-8').send(JSON.stringify(body))
}

function toRefusal(error: unknown, request: FastifyRequest): Refusal {
  if (error instanceof Refusal) return error
  if (error instanceof QueueFull) {
    return new Refusal('busy', 'refusals.crowded', { retryAfter: 5 })
  }
  const known = isHttpError(error) ? httpRefusal(error) : undefined
  if (known) return known
  if (isUnavailable(error) || error instanceof PhotoStorageUnavailable || error instanceof PhotoDecoderDown) {
    request.log.error({ err: error }, 'database, photo storage or photo decoder unavailable')
    return new Refusal('busy', 'refusals.not_ready', { retryAfter: 5 })
  }
  if (error instanceof VaultError) {
    request.log.error({ err: error }, 'encrypted data cannot be read')
    return new Refusal('unreadable', 'refusals.undecryptable')
  }
  if (error instanceof ResponseSerializationError) {
    const fields = error.cause.issues.map(({ path }) => path.join('.'))
    request.log.error({ err: error }, `the contract has another type for ${fields.join(', ')} of the answer`)
    return new Refusal('internal', 'refusals.internal')
  }
  request.log.error({ err: error }, 'request failed')
  return new Refusal('internal', 'refusals.internal')
}

/** What Fastify checks params, query and body with. */
export const compileValidator: FastifySchemaCompiler<z.ZodType> =
  ({ schema }) =>
  (sent) => {
    const { data, problems } = parseSent(schema, sent)
    return problems ? { error: invalid(problems) } : { value: data }
  }

/** Parses a value with a schema of the contract. Throws a `Refusal` that names every invalid field. */
export function parseWith<S extends z.ZodType>(schema: S, sent: unknown): z.output<S> {
  const parsed = parseSent(schema, sent)
  if (parsed.problems) throw invalid(parsed.problems)
  return parsed.data
}

/** As `parse` of the contract, with a code for everything that programs get wrong. */
export const parseSent = <S extends z.ZodType>(schema: S, sent: unknown) => parse(schema, sent, codeOf)

function codeOf(issue: z.core.$ZodRawIssue): FieldCode {
  const ofText = issue.origin === 'string'
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'missing' : 'wrong_type'
    case 'invalid_value':
      return 'unknown_option'
    case 'invalid_format':
      return issue.format === 'regex' ? 'invalid' : 'wrong_format'
    case 'too_small':
      return ofText ? 'too_short' : 'number_too_small'
    case 'too_big':
      return ofText ? 'too_long' : 'number_too_large'
    default:
      return 'invalid'
  }
}

function isHttpError(error: unknown): error is FastifyError {
  return error instanceof Error && 'statusCode' in error && typeof error.statusCode === 'number'
}

const byCode: Readonly<Record<string, [ErrorCode, Key]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ['unsupported_body', 'refusals.not_json'],
  FST_INVALID_MULTIPART_CONTENT_TYPE: ['unsupported_body', 'refusals.not_multipart'],
  FST_ERR_CTP_BODY_TOO_LARGE: ['too_large', 'refusals.too_large'],
}

const byStatus: Readonly<Record<number, [ErrorCode, Key]>> = {
  400: ['invalid', 'refusals.invalid'],
  // @fastify/static refuses paths outside its folder with 403. Such files do not exist for the client.
  403: ['not_found', 'refusals.not_found'],
  404: ['not_found', 'refusals.not_found'],
  413: ['too_large', 'refusals.too_large'],
  414: ['invalid', 'refusals.address_too_long'],
  415: ['unsupported_body', 'refusals.not_json'],
  431: ['invalid', 'refusals.headers_too_large'],
}

function httpRefusal(error: FastifyError): Refusal | undefined {
  const known = byCode[error.code] ?? byStatus[error.statusCode ?? 0]
  return known && new Refusal(...known)
}
