import { useRef, useState } from 'react'
import type { z } from 'zod'
import { type FieldProblem, fieldText, parse } from '#contract/field-errors.ts'
import { useWords } from '#web/words/words.ts'
import type { Values } from '#words/translate.ts'

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

export interface FormRules<Typed extends object, Output> {
  /** The schema of the call. A function fetches it with the first focus, because it brings zod along. */
  schema?: z.ZodType<Output> | (() => Promise<z.ZodType<Output>>) | undefined
  /** What the fields start with. A field without a control keeps what `setValue` gives it. */
  start: Typed
  /** Checks that the schema cannot make, such as two equal passwords. */
  check?: ((typed: Typed) => readonly FieldProblem[]) | undefined
  /** Called with a valid form before it is sent. If it returns problems, the form shows them and sends nothing. */
  warn?: ((typed: Typed) => readonly FieldProblem[]) | undefined
}

/** An error as a form keeps it. Its text is looked up when it is rendered, so that it follows the language. */
interface CodedError {
  readonly code: string
  readonly params?: Values | undefined
  /** The server's text, for codes that the page has no text for. */
  readonly message?: string
}

/**
 * What is typed into a form, and what is wrong with it. The browser keeps the texts of the controls, so that nothing is lost
 * that was typed or filled in before the app started. Errors appear with the first attempt to send; then each changed
 * field is checked at once.
 */
export function useForm<Typed extends object, Output>({
  schema,
  start,
  check,
  warn,
}: FormRules<Typed, Output>) {
  const t = useWords()
  const controls = useRef(new Map<string, Control>())
  /** What each control started with. Following the typing would write a password into the document. */
  const starts = useRef<Partial<Typed>>({})
  const [initial, setInitial] = useState(start)
  const [values, setValues] = useState(start)
  const [errors, setErrors] = useState<Readonly<Record<string, CodedError>>>({})
  /** The schema, once somebody has tried to send the form. */
  const attempted = useRef<z.ZodType<Output>>(undefined)
  const checking = useRef(false)

  async function fetchSchema() {
    return typeof schema === 'function' ? schema() : schema
  }

  function getValues(): Typed {
    const typed = [...controls.current].map(([name, control]) => [name, typedInto(control)])
    return { ...values, ...Object.fromEntries(typed) }
  }

  /** An optional field that was left blank is missing. */
  function withoutBlanks(typed: Typed, known: z.ZodType<Output> | undefined): Typed {
    const isSent = ([name, value]: [string, unknown]) =>
      value !== '' || !fieldOf(known, name)?.safeParse(undefined).success
    return Object.fromEntries(Object.entries(typed).filter(isSent)) as Typed
  }

  function problemsOf(typed: Typed, known: z.ZodType<Output> | undefined) {
    const { data, problems = [] } = known
      ? parse(known, withoutBlanks(typed, known))
      : { data: typed as unknown as Output }
    return { data, problems: [...problems, ...(check?.(typed) ?? [])] }
  }

  function change(name: string, value: unknown) {
    setValues((before) => ({ ...before, [name]: value }))
    const typed = { ...getValues(), [name]: value }
    const problem =
      attempted.current && problemsOf(typed, attempted.current).problems.find(({ path }) => path === name)
    setErrors(({ [name]: _before, ...others }) => (problem ? { ...others, [name]: problem } : others))
  }

  function show(problems: readonly (CodedError & { path: string })[]) {
    setErrors(Object.fromEntries(problems.map(({ path, ...error }) => [path, error])))
    const wrong = new Set(problems.map(({ path }) => path))
    for (const [name, control] of controls.current) {
      if (wrong.has(name)) return control.focus()
    }
  }

  /** @param send gets what the schema makes of a valid form */
  function handleSubmit(send: (values: Output) => void) {
    return async (event?: { preventDefault: () => void }): Promise<void> => {
      event?.preventDefault()
      if (checking.current) return
      checking.current = true
      // If it cannot be fetched, the server checks alone.
      const known = attempted.current ?? (await fetchSchema().catch(() => undefined))
      checking.current = false
      attempted.current = known
      const { data, problems } = problemsOf(getValues(), known)
      if (problems.length > 0 || data === undefined) return show(problems)
      const warnings = warn?.(getValues()) ?? []
      if (warnings.length > 0) show(warnings)
      else send(data)
    }
  }

  /** The props of a field's control. */
  function field(name: keyof Typed & string) {
    if (!controls.current.has(name)) starts.current[name] = values[name]
    const value: unknown = starts.current[name]
    const error = errors[name]
    const maxLength = typeof schema === 'function' ? undefined : maxLengthOf(fieldOf(schema, name))
    return {
      name,
      ...(maxLength && { maxLength }),
      ...(typeof value === 'boolean' ? { defaultChecked: value } : { defaultValue: String(value ?? '') }),
      ref: (control: Control | null) => {
        if (control) controls.current.set(name, control)
        return () => void controls.current.delete(name)
      },
      onFocus: () => void fetchSchema().catch(() => undefined),
      onChange: ({ currentTarget }: { currentTarget: Control }) => change(name, typedInto(currentTarget)),
      error: error && (fieldText(t, error) ?? error.message ?? t('fields.invalid')),
    }
  }

  return {
    values,
    /** Whether something is missing or wrong, as far as is known before the first attempt: a schema may have to be fetched. */
    isUnfinished: () =>
      problemsOf(values, typeof schema === 'function' ? undefined : schema).problems.length > 0,
    field,
    handleSubmit,
    getValues,
    /** The form as typed, without the fields that are not sent. */
    getTyped: () => withoutBlanks(getValues(), attempted.current),
    setValue: <Name extends keyof Typed & string>(name: Name, value: Typed[Name]) => {
      const control = controls.current.get(name)
      if (control) control.value = String(value ?? '')
      change(name, value)
    },
    /** Starts again with these values, and without errors. */
    reset: (next: Typed) => {
      for (const [name, control] of controls.current) control.value = String(next[name as keyof Typed] ?? '')
      attempted.current = undefined
      setInitial(next)
      setValues(next)
      setErrors({})
    },
    isDirty: () => {
      const typed = Object.entries(getValues())
      return typed.some(([name, value]) => value !== (initial[name as keyof Typed] ?? ''))
    },
    showProblems: show,
    focus: (name: keyof Typed & string, { select = false } = {}) => {
      const control = controls.current.get(name)
      control?.focus()
      if (select && control instanceof HTMLInputElement) control.select()
    },
  }
}

/** The parts of a field's schema that are read. zod itself is not imported: most pages do not load it. */
interface FieldSchema extends Pick<z.ZodType, 'safeParse'> {
  /** Of a string. */
  maxLength?: number | null
  /** Of a transform: what it takes. */
  in?: FieldSchema
  /** Of what is optional. */
  unwrap?: () => FieldSchema
}

function fieldOf(schema: unknown, name: string): FieldSchema | undefined {
  return (schema as { shape?: Readonly<Record<string, FieldSchema>> } | undefined)?.shape?.[name]
}

/** The longest text that a field takes. */
function maxLengthOf(field: FieldSchema | undefined): number | undefined {
  return field && (field.maxLength ?? maxLengthOf(field.in ?? field.unwrap?.()))
}

function typedInto(control: Control): string | boolean {
  return control instanceof HTMLInputElement && control.type === 'checkbox' ? control.checked : control.value
}
