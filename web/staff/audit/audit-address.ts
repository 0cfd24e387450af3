import type { auditRoutes } from '#contract/audit.ts'
import { type AuditAction, auditActions } from '#contract/audit.ts'
import type { QueryInput } from '#contract/route.ts'
import { useAddress } from '../lists/address-change.ts'

/** What the address says about the log; the days are the reader's own. */
export interface AuditFilters {
  actor: string
  action: AuditAction | undefined
  subject: string
  /** The first and the last day, as a date field has them. */
  from: string
  to: string
}

const noFilters: AuditFilters = { actor: '', action: undefined, subject: '', from: '', to: '' }

/** Characters of the longest name that is looked for. */
export const LONGEST = 255
const DAY = /^\d{4}-\d{2}-\d{2}$/

export function readAuditFilters(address: URLSearchParams): AuditFilters {
  const text = (name: string) => (address.get(name) ?? '').trim().slice(0, LONGEST)
  const day = (name: string) => (startOf(text(name)) ? text(name) : '')
  return {
    actor: text('actor'),
    action: auditActions.find((action) => action === address.get('action')),
    subject: text('subject'),
    from: day('from'),
    to: day('to'),
  }
}

/** The filters as the server wants them: moments, up to and not including the day after the last one. */
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

/** Midnight of a day as the reader has it, or so many days later; undefined for what is no day. */
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
