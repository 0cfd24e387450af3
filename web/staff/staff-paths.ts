import { paths } from '../paths.ts'

/** A conversation: by its thread, or with a seller, to whom nobody need have written yet. */
export function chatPath(conversation: { thread: string } | { user: string }): string {
  return `${paths.adminChat}?${new URLSearchParams(conversation)}`
}

/** The submissions that a search gives, or one of them. */
export function submissionsPath(view: { q?: string; id?: string }): string {
  return `${paths.admin}?${new URLSearchParams(view)}`
}
