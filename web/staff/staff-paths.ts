import { paths } from '#web/words/paths.ts'

/** A conversation: by its thread, or with a seller, to whom nobody need have written yet. */
export function chatPath(conversation: { thread: string } | { user: string }): string {
  return `${paths.adminChat}?${new URLSearchParams(conversation)}`
}

/** The submissions that a search gives, or one of them. */
export function submissionsPath(view: { q?: string; id?: string }): string {
  return `${paths.admin}?${new URLSearchParams(view)}`
}

/** One brand of the catalogue, or what a search for it gives. */
export function brandsPath(q: string): string {
  return `${paths.adminBrands}?${new URLSearchParams({ q })}`
}

/** What somebody did, or what was done to something. */
export function auditPath(filter: { actor?: string; subject?: string }): string {
  return `${paths.adminAudit}?${new URLSearchParams(filter)}`
}
