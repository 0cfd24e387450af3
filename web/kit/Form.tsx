import type { ComponentProps } from 'react'
import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form'
import type { z } from 'zod'

/**
 * Fields below each other. Before the app has started, a browser could submit it: by POST, so that no typed text ends up
 * in the address.
 */
export function Form(props: ComponentProps<'form'>) {
  return <form method="post" noValidate className="grid gap-5" {...props} />
}

/** Validates a form with a schema. Each field gets the first error found for it. */
export function schemaResolver<Input extends FieldValues, Output>(
  schema: z.ZodType<Output, Input>,
): Resolver<Input, unknown, Output> {
  return (values) => {
    const result = schema.safeParse(values)
    if (result.success) return { values: result.data, errors: {} }
    const errors: Record<string, { type: string; message: string }> = {}
    for (const { path, code, message } of result.error.issues) {
      errors[path.join('.')] ??= { type: code, message }
    }
    return { values: {}, errors: errors as FieldErrors<Input> }
  }
}
