import type { z } from 'zod'
import type { FieldCode } from '#words/keys.ts'
import type { Translate, Values } from '#words/translate.ts'

/** What is wrong with a field, without its text. */
export interface FieldProblem {
  /** `accountName`, `images`, or a path such as `items.0.name`. */
  readonly path: string
  readonly code: FieldCode
  /** What the text inserts: limits, choices. */
  readonly params?: Values
}

/** The text of a field's error. Undefined if its texts are not loaded, or its code is newer than this client. */
export function fieldText(t: Translate, { code, params }: { code: string; params?: Values | undefined }) {
  const key = [`fields.${code}`, `apiFields.${code}`].find(t.has)
  return key && t(key, params)
}

type Parsed<Output> =
  | { readonly data: Output; readonly problems?: undefined }
  | { readonly data?: undefined; readonly problems: readonly FieldProblem[] }

/**
 * Parses with a schema of the contract, whose errors are codes. Names the first problem of each field.
 * @param codeOf the code for errors of zod's own, such as a wrong type. Our forms cannot cause them
 */
export function parse<S extends z.ZodType>(
  schema: S,
  sent: unknown,
  codeOf?: (issue: z.core.$ZodRawIssue) => FieldCode,
): Parsed<z.output<S>> {
  const parsed = schema.safeParse(sent, codeOf && { error: codeOf })
  if (parsed.success) return { data: parsed.data }
  const problems = new Map<string, FieldProblem>()
  for (const issue of parsed.error.issues) {
    const path = issue.path.join('.')
    if (problems.has(path)) continue
    const params = paramsOf(issue)
    problems.set(path, { path, code: issue.message as FieldCode, ...(params && { params }) })
  }
  return { problems: [...problems.values()] }
}

function paramsOf(issue: z.core.$ZodIssue): Values | undefined {
  const { code, message } = issue
  if (code === 'custom') return issue.params
  // Other texts, such as `username_required`, mention no limit.
  const saysLimit = /too_\w+$/.test(message)
  if (code === 'too_big' && saysLimit) return { maximum: Number(issue.maximum) }
  if (code === 'too_small' && saysLimit) return { minimum: Number(issue.minimum) }
  if (code === 'invalid_type' && message === 'wrong_type') return { type: issue.expected }
  if (code === 'invalid_value' && message === 'unknown_option') return { options: issue.values.join(', ') }
  if (code === 'invalid_format' && message === 'wrong_format') return { format: issue.format }
  return undefined
}
