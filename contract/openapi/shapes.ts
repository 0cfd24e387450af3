import { z } from 'zod'
import * as accounts from '#contract/accounts.ts'
import * as audit from '#contract/audit.ts'
import * as brands from '#contract/brands.ts'
import * as chat from '#contract/chat.ts'
import * as errors from '#contract/errors.ts'
import * as live from '#contract/live.ts'
import * as paymentMethods from '#contract/payment-methods.ts'
import * as reviews from '#contract/reviews.ts'
import * as savedReplies from '#contract/saved-replies.ts'
import * as secondFactor from '#contract/second-factor.ts'
import * as staff from '#contract/staff.ts'
import * as staffChat from '#contract/staff-chat.ts'
import * as staffSubmissions from '#contract/staff-submissions.ts'
import * as submissions from '#contract/submissions.ts'
import * as values from '#contract/values.ts'
import type { Schema } from './types.ts'

const modules = [
  accounts,
  audit,
  brands,
  chat,
  errors,
  live,
  paymentMethods,
  reviews,
  savedReplies,
  secondFactor,
  staff,
  staffChat,
  staffSubmissions,
  submissions,
  values,
]

/** Every shape that the contract exports under a name, by that name. */
const named = new Map(
  modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) =>
      value instanceof z.ZodObject || value instanceof z.ZodDiscriminatedUnion
        ? [[value as z.ZodType, name[0]?.toUpperCase() + name.slice(1)] as const]
        : [],
    ),
  ),
)

const PLACE = '#/components/schemas/'

export interface Shapes {
  /** What stands where the schema is used: a reference, if it has a name. */
  of(schema: z.ZodType): Schema
  /** The schema itself. */
  whole(schema: z.ZodType): Schema
  /** Those of the contract's names that can be written so. */
  readonly named: Readonly<Record<string, Schema>>
}

/**
 * Writes schemas of the contract as JSON Schema.
 * @param io `input` writes what has to be sent for them to read it, `output` what is answered
 */
export function writeShapes(schemas: readonly z.ZodType[], io: 'input' | 'output'): Shapes {
  const registry = z.registry<{ id: string }>()
  for (const [schema, id] of named) if (isWritable(schema, io)) registry.add(schema, { id })
  for (const [at, schema] of schemas.entries()) {
    if (!registry.has(schema)) registry.add(schema, { id: `unnamed ${at}` })
  }
  const written = z.toJSONSchema(registry, { io, uri: (id) => `${PLACE}${id}`, override: tidy }).schemas
  const whole = (schema: z.ZodType): Schema => {
    const found = written[registry.get(schema)?.id ?? '']
    if (!found) throw new Error('This schema was not among those that were written')
    const { $schema: _schema, $id: _id, ...shape } = found
    return shape as Schema
  }
  return {
    whole,
    of: (schema) => (named.has(schema) ? { $ref: `${PLACE}${named.get(schema)}` } : whole(schema)),
    named: Object.fromEntries(
      [...named].filter(([schema]) => registry.has(schema)).map(([schema, name]) => [name, whole(schema)]),
    ),
  }
}

/** What is read into something else, like dollars into cents, has no shape as an answer. */
function isWritable(schema: z.ZodType, io: 'input' | 'output'): boolean {
  try {
    return Boolean(z.toJSONSchema(schema, { io }))
  } catch {
    return false
  }
}

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>

const tidy: Override = ({ zodSchema: { _zod }, jsonSchema }) => {
  const { def } = _zod
  // What a text is read into says more of it than the text: that it is an e-mail, or a number in an address.
  if (def.type === 'pipe' && def.out._zod.def.type !== 'transform') {
    const { $schema: _schema, ...read } = z.toJSONSchema(def.out)
    delete jsonSchema.pattern
    Object.assign(jsonSchema, read)
  }
  if (def.type === 'default') jsonSchema.default = def.defaultValue as never
  // The name of a format says what its pattern takes a hundred characters for.
  if (jsonSchema.format) delete jsonSchema.pattern
  // Every whole number is one that can be counted with; that need not be said.
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  // Fields are added to answers; a client that refuses them would break.
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
}

/** The names of the shapes that a part of the document refers to, directly or through each other. */
export function shapesIn(part: unknown, shapes: Readonly<Record<string, Schema>>): Set<string> {
  const found = new Set<string>()
  const look = (at: unknown) => {
    for (const [, name = ''] of JSON.stringify(at).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue
      found.add(name)
      look(shapes[name])
    }
  }
  look(part)
  return found
}
