import type { FieldValues, Path, UseFormReturn } from 'react-hook-form'
import { ApiError } from './errors.ts'

/** What only the server knows to be wrong (a taken e-mail, a wrong password) belongs at the field as well. */
export function showAtFields<Values extends FieldValues>(
  form: Pick<UseFormReturn<Values>, 'getValues' | 'setError'>,
  error: Error,
): void {
  if (!(error instanceof ApiError)) return
  const known = form.getValues()
  for (const { path, message } of error.errors) {
    if (path in known) form.setError(path as Path<Values>, { message }, { shouldFocus: true })
  }
}
