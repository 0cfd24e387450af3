import type { z } from 'zod'
import { callLimits } from '#contract/limits.ts'
import { refusalsOf } from '#contract/refusals.ts'
import type { Route } from '#contract/route.ts'
import { MAX_PHOTOS, PHOTO_FILE_TYPES } from '#domain/photo-files.ts'
import { refusalRefs } from './refused.ts'
import type { Shapes } from './shapes.ts'
import type { Answer, Content, Operation, Parameter, Schema } from './types.ts'

export interface Written {
  readonly sent: Shapes
  readonly answered: Shapes
}

/** The path as OpenAPI has it: `:id` is `{id}`, and the rest that a `*` takes is `{path}`. */
export function pathOf({ path }: Route): string {
  return path.replace(/:(\w+)/g, '{$1}').replace('*', '{path}')
}

export function operationOf(id: string, tag: string, route: Route, shapes: Written): Operation {
  const parameters = parametersOf(route, shapes.sent)
  const body = route.body && bodyOf(route, route.body, shapes.sent)
  const { access, limit } = route
  return {
    operationId: id,
    summary: route.summary,
    tags: [tag],
    security: access === 'anyone' ? [] : [{ [access]: [] }],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: { ...answersOf(route, shapes.answered), ...refusalRefs(refusalsOf(route)) },
    ...(limit !== 'none' && {
      'x-rate-limit': {
        bucket: limit,
        calls: callLimits[limit].points,
        seconds: callLimits[limit].seconds,
      },
    }),
  }
}

function parametersOf({ params, query, idempotencyKey }: Route, sent: Shapes): Parameter[] {
  return [
    ...(params ? fieldsOf(sent.whole(params), 'path') : []),
    ...(query ? fieldsOf(sent.whole(query), 'query') : []),
    ...(idempotencyKey ? [idempotencyHeader] : []),
  ]
}

/** The fields of an object as parameters. */
export function fieldsOf({ properties = {}, required = [] }: Schema, place: 'path' | 'query'): Parameter[] {
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name: name === '*' ? 'path' : name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description && { description }),
    schema,
  }))
}

const idempotencyHeader: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Made by the client, one for each thing it asks for: sent again, it is done once',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function bodyOf({ multipart }: Route, body: z.ZodType, sent: Shapes): NonNullable<Operation['requestBody']> {
  const fields = sent.of(body)
  const required = !body.safeParse(undefined).success
  if (!multipart) return { required, content: { 'application/json': { schema: fields } } }
  return { required, content: { 'multipart/form-data': withPhotos(fields) } }
}

function withPhotos(fields: Schema): Content {
  const images: Schema = {
    type: 'array',
    maxItems: MAX_PHOTOS,
    items: { type: 'string', format: 'binary' },
  }
  const contentType = PHOTO_FILE_TYPES.flatMap(({ mimes }) => mimes).join(', ')
  return {
    schema: { allOf: [fields, { type: 'object', properties: { images } }] },
    encoding: { images: { contentType } },
  }
}

function answersOf(route: Route, answered: Shapes): Record<string, Answer> {
  if (route.file) return { 200: { description: 'The file', content: fileOf(route.file) } }
  const headers = isPaged(route) && { headers: pageHeaders }
  const answers = Object.entries(route.answers).map(([status, schema]) => {
    const shape = answered.of(schema)
    const description = answered.whole(schema).description ?? said[status] ?? 'Done'
    return [status, { description, ...headers, content: { 'application/json': { schema: shape } } }] as const
  })
  return Object.fromEntries(answers)
}

const said: Readonly<Record<string, string>> = { 200: 'Done', 201: 'Made' }

function fileOf(type: string): Record<string, Content> {
  const schema: Schema =
    type === 'application/json' ? { type: 'object' } : { type: 'string', format: 'binary' }
  return { [type]: { schema } }
}

const pageHeaders = {
  'X-Total-Count': { $ref: '#/components/headers/X-Total-Count' },
  Link: { $ref: '#/components/headers/Link' },
}

/** Whether the answer is one page of a list that grows. */
function isPaged({ query }: Route): boolean {
  return query !== undefined && 'shape' in query && 'cursor' in (query.shape as object)
}
