import { type AuditAction, auditActions, type auditRoutes } from '#contract/audit.ts'
import type { QueryInput } from '#contract/route.ts'
import { useAddress } from '../lists/use-address.ts'

/** The filters in the address. Days are in the reader's time zone. */
export interface AuditFilters {
  actor: string
  action: AuditAction | undefined
  subject: string
  /** First and last day, both included: "2026-03-05". */
  from: string
  to: string
}

const noFilters: AuditFilters = { actor: '', action: undefined, subject: '', from: '', to: '' }

/** Maximum length of a name the server searches for, in characters. */
export const MAX_NAME_LENGTH = 255
const DAY = /^\d{4}-\d{2}-\d{2}$/

export function readAuditFilters(address: URLSearchParams): AuditFilters {
  const text = (name: string) => (address.get(name) ?? '').trim().slice(0, MAX_NAME_LENGTH)
  const day = (name: string) => (startOf(text(name)) ? text(name) : '')
  return {
    actor: text('actor'),
    action: auditActions.find((action) => action === address.get('action')),
    subject: text('subject'),
    from: day('from'),
    to: day('to'),
  }
}

/** The filters as the server wants them: `to` becomes the midnight after the last day. */
export function toQuery(filters: AuditFilters): Partial<QueryInput<typeof auditRoutes.auditLog>> {
  const { actor, action, subject, from, to } = filters
  return {
    ...(actor && { actor }),
    ...(action && { action }),
    ...(subject && { subject }),
    ...(from && { from: startOf(from)?.toISOString() }),
    ...(to && { to: startOf(to, 1)?.toISOString() }),
  }
}

/** Midnight in the reader's time zone, this many days later; undefined if the text is not a day. */
function startOf(day: string, later = 0): Date | undefined {
  if (!DAY.test(day)) return undefined
  const start = new Date(`${day}T00:00:00`)
  if (Number.isNaN(start.getTime())) return undefined
  start.setDate(start.getDate() + later)
  return start
}

export function useAuditFilters(): [AuditFilters, (change: Partial<AuditFilters>) => void, () => void] {
  const [address, change] = useAddress()
  const filters = readAuditFilters(address)
  return [filters, (changed) => change({ ...changed }), () => change({ ...noFilters })]
}
