import type { Cents } from './money.ts'

/** How much money may leave. Undefined: no limit. */
export interface PayoutLimits {
  readonly perPayout?: Cents | undefined
  readonly perBatch?: Cents | undefined
  /** Released batches and payments by hand together. */
  readonly perDay?: Cents | undefined
  /** A batch with a higher total needs two approvers besides the people who created and froze it. */
  readonly secondApprovalAbove?: Cents | undefined
}

/** What is about to leave, in cents. */
export interface Leaving {
  readonly largest: Cents
  readonly total: Cents
  readonly isBatch: boolean
  readonly sentToday: Cents
}

const limitRules = {
  perPayout: ({ largest }) => largest,
  perBatch: ({ total, isBatch }) => (isBatch ? total : 0),
  perDay: ({ total, sentToday }) => total + sentToday,
} as const satisfies Record<string, (leaving: Leaving) => Cents>

export type Limit = keyof typeof limitRules

/** The first limit that would be exceeded; undefined if the money may leave. */
export function exceededLimit(limits: PayoutLimits, leaving: Leaving): Limit | undefined {
  const names = Object.keys(limitRules) as Limit[]
  return names.find((name) => limitRules[name](leaving) > (limits[name] ?? Number.POSITIVE_INFINITY))
}

/** The payouts that fit into one batch, in order. Skips payouts that are too large to leave at all. */
export function fittingPayouts<Payout extends { readonly amount: Cents }>(
  { perPayout = Number.POSITIVE_INFINITY, perBatch = Number.POSITIVE_INFINITY }: PayoutLimits,
  payouts: readonly Payout[],
): Payout[] {
  let total = 0
  return payouts.filter(({ amount }) => {
    if (amount > perPayout || total + amount > perBatch) return false
    total += amount
    return true
  })
}

export function needsTwoApprovals({ secondApprovalAbove }: PayoutLimits, total: Cents): boolean {
  return secondApprovalAbove !== undefined && total > secondApprovalAbove
}

/** Who did what with a batch: ids or usernames. */
interface Makers {
  readonly createdBy: string | null
  readonly frozenBy: string | null
  readonly approvedBy: string | null
}

interface ReleaseRules {
  readonly needsTwo: boolean
  /** The person who created a batch never freezes it, and the person who froze it never releases it. */
  readonly alwaysTwoPersons: boolean
}

/**
 * Who may make the next step of a frozen batch: its second approver or, without two approvals, anybody but the person who froze it.
 * That person only if there is nobody else and the shop allows it.
 * @param payers everybody who may pay, named like the makers
 */
export function releasersOf(
  batch: Makers,
  payers: readonly string[],
  { needsTwo, alwaysTwoPersons }: ReleaseRules,
): readonly string[] {
  if (needsTwo) return payers.filter((person) => !approvalProblem(batch, person))
  const others = payers.filter((person) => person !== batch.frozenBy)
  return others.length > 0 || alwaysTwoPersons ? others : payers
}

/** How many more people a frozen batch needs until it can be released. 0: enough may release it. */
export function missingReleasers(batch: Makers, payers: readonly string[], rules: ReleaseRules): number {
  const needed = rules.needsTwo && batch.approvedBy === null ? 2 : 1
  return Math.max(needed - releasersOf(batch, payers, rules).length, 0)
}

/** Who may freeze an open batch and leave enough others to release it. */
export function freezersOf(batch: Makers, payers: readonly string[], rules: ReleaseRules): readonly string[] {
  return payers.filter((person) => {
    const mayFreeze = !rules.alwaysTwoPersons || person !== batch.createdBy
    return mayFreeze && missingReleasers({ ...batch, frozenBy: person }, payers, rules) === 0
  })
}

/** Why a person may not approve a batch that needs two approvals; undefined if they may. */
export function approvalProblem(
  { createdBy, frozenBy, approvedBy }: Makers,
  person: string,
): 'made' | 'approved' | undefined {
  if (person === createdBy || person === frozenBy) return 'made'
  return person === approvedBy ? 'approved' : undefined
}
