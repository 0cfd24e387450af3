import { paths } from '../paths.ts'

/** The submissions that a search gives, or one of them. */
export function submissionsPath(view: { q?: string; id?: string }): string {
  return `${paths.admin}?${new URLSearchParams(view)}`
}
