import type { Schema } from '#contract/openapi/types.ts'
import { textLinkClass } from '#web/kit/Button.tsx'
import { anchorOfShape, nameAt } from './anchors.ts'
import type { Field } from './fields.ts'
import { Code, Words } from './Words.tsx'

/** Fields with what they may hold, one below the other. */
export function Fields({ fields, sent = false }: { fields: readonly Field[]; sent?: boolean }) {
  return (
    <dl className="divide-y divide-line border-line border-y text-sm">
      {fields.map(({ name, place, required, schema }) => (
        <div key={`${place} ${name}`} className="grid gap-x-6 gap-y-0.5 py-2 md:grid-cols-[15rem_1fr]">
          <dt>
            <Code>{name}</Code>
            {place && <span className="text-soft"> {placeNames[place]}</span>}
          </dt>
          <dd className="min-w-0 text-soft">
            <Type schema={schema} />
            {sent && !required && <span>, optional</span>}
            {schema.default !== undefined && <span>, {String(schema.default)} unless given</span>}
            {schema.description && (
              <p>
                <Words>{schema.description}</Words>
              </p>
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}

const placeNames = { path: 'in the path', query: 'in the query', header: 'as a header' }

/** What a value may be, in words. */
export function Type({ schema }: { schema: Schema }) {
  const { $ref, anyOf, oneOf, items } = schema
  if ($ref) {
    const name = nameAt($ref)
    return (
      <a href={`#${anchorOfShape(name)}`} className={textLinkClass}>
        {name}
      </a>
    )
  }
  if (items) {
    return (
      <>
        list of <Type schema={items} />
      </>
    )
  }
  // A choice that was not made can be sent as an empty text too; that need not be said each time.
  const choices = (anyOf ?? oneOf)?.filter((choice) => choice.const !== '')
  if (choices) {
    return choices.map((choice, at) => (
      <span key={JSON.stringify(choice)}>
        {at > 0 && ' or '}
        <Type schema={bare(choice)} />
      </span>
    ))
  }
  const fixed = schema.enum ?? (schema.const === undefined ? undefined : [schema.const])
  if (fixed) {
    return fixed.map((value, at) => (
      <span key={String(value)}>
        {at > 0 && ' · '}
        <Code>{String(value)}</Code>
      </span>
    ))
  }
  return simpleType(schema)
}

/** Among others, how long a text may be is no help. */
const bare = ({ maxLength: _, ...schema }: Schema): Schema => schema

const formats: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  'date-time': 'time',
  email: 'e-mail address',
  binary: 'file',
}
/** Money and percentages, as contract/values.ts has them. */
const DECIMAL = '^-?\\d+\\.\\d{2}$'

function simpleType({ type, format, pattern, minLength, maxLength, minimum, maximum }: Schema): string {
  if (Array.isArray(type)) return type.map((one) => simpleType({ type: one })).join(' or ')
  switch (type) {
    case 'string': {
      if (format) return formats[format] ?? format
      if (pattern === DECIMAL) return 'text like "93.00"'
      if (maxLength === undefined) return 'text'
      return minLength && minLength > 1
        ? `text, ${minLength} to ${maxLength} characters`
        : `text, at most ${maxLength} characters`
    }
    case 'integer':
    case 'number': {
      const kind = type === 'integer' ? 'whole number' : 'number'
      return minimum !== undefined && maximum !== undefined ? `${kind}, ${minimum} to ${maximum}` : kind
    }
    case 'boolean':
      return 'true or false'
    case 'null':
      return 'null'
    default:
      return 'object'
  }
}
