import { auditChoices, type auditRoutes } from '#contract/audit.ts'
import type { QueryInput } from '#contract/route.ts'
import type { FiltersOf } from '../../list/use-address.ts'

/** Maximum length of a name the server searches for, in characters. */
export const MAX_NAME_LENGTH = 255

const parseName = (text: string) => text.slice(0, MAX_NAME_LENGTH)
const parseDay = (text: string) => (startOf(text) ? text : '')

/** `from` and `to` are the first and last day, both included, in the reader's time zone: "2026-03-05". */
export const auditFilters = {
  actor: parseName,
  action: (text: string) => auditChoices.find((action) => action === text),
  subject: parseName,
  /** Photos loaded ahead are hidden by default, because they outnumber everything else. */
  ahead: (text: string) => (text === 'on' ? ('on' as const) : undefined),
  from: parseDay,
  to: parseDay,
}

/** The filters as the server wants them: `to` becomes the midnight after the last day. */
export function toQuery(
  filters: FiltersOf<typeof auditFilters>,
): Partial<QueryInput<typeof auditRoutes.auditLog>> {
  const { actor, action, subject, ahead, from, to } = filters
  return {
    ...(actor && { actor }),
    ...(action && { action }),
    ...(subject && { subject }),
    ...(!ahead && action !== 'submission.photo_loaded_ahead' && { ahead: 'false' as const }),
    ...(from && { from: startOf(from)?.toISOString() }),
    ...(to && { to: startOf(to, 1)?.toISOString() }),
  }
}

/** Midnight in the reader's time zone, this many days later; undefined if the text is not a day. */
function startOf(day: string, later = 0): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined
  const start = new Date(`${day}T00:00:00`)
  if (Number.isNaN(start.getTime())) return undefined
  start.setDate(start.getDate() + later)
  return start
}
