import type { OpenApi, Operation, Schema } from '#contract/openapi/types.ts'
import { nameAt } from './anchors.ts'

/** A value that is sent or answered. */
export interface Field {
  /** With a dot before what is inside of it, and `[]` for each of a list. */
  readonly name: string
  readonly required: boolean
  readonly schema: Schema
  /** Where it goes, when it is not a field of the body. */
  readonly place?: 'path' | 'query' | 'header'
}

export type NamedShapes = OpenApi['components']['schemas']

/** The fields of an object, and of the unnamed objects inside of it, each after what it is in. */
export function fieldsOf(schema: Schema, shapes: NamedShapes, prefix = ''): Field[] {
  if (schema.$ref) return fieldsOf(shapes[nameAt(schema.$ref)] ?? {}, shapes, prefix)
  if (schema.allOf) return schema.allOf.flatMap((part) => fieldsOf(part, shapes, prefix))
  const filled = schema.anyOf?.find(({ type }) => type === 'object')
  if (filled) return fieldsOf(filled, shapes, prefix)
  return Object.entries(schema.properties ?? {}).flatMap(([key, value]) => {
    const name = `${prefix}${key}`
    const required = schema.required?.includes(key) ?? false
    return [{ name, required, schema: value }, ...inside(value, shapes, name)]
  })
}

function inside(value: Schema, shapes: NamedShapes, name: string): Field[] {
  if (value.$ref) return []
  if (value.type === 'array' && value.items && !value.items.$ref)
    return fieldsOf(value.items, shapes, `${name}[].`)
  return fieldsOf(value, shapes, `${name}.`)
}

/** Everything that a call takes. */
export function fieldsTaken({ parameters = [], requestBody }: Operation, shapes: NamedShapes): Field[] {
  const body = Object.values(requestBody?.content ?? {})[0]
  return [
    ...parameters.map(({ name, required, schema, description, in: place }) => ({
      name,
      required,
      place,
      schema: { ...schema, ...(description && { description }) },
    })),
    ...(body ? fieldsOf(body.schema, shapes) : []),
  ]
}
