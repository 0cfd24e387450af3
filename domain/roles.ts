/** The roles of administrators, and what each may do. Routes name a capability; screens hide what the role lacks. */
export const roles = ['owner', 'manager', 'reviewer', 'payer', 'auditor'] as const
export type Role = (typeof roles)[number]

const managing = ['owner', 'manager'] as const
const reviewing = ['owner', 'manager', 'reviewer'] as const
const paying = ['owner', 'manager', 'payer'] as const
const acting = ['owner', 'manager', 'reviewer', 'payer'] as const

const capabilityTable = {
  /** Read everything that is not secret, and manage one's own account. */
  staff: roles,
  /** Decide on submissions, and record balance checks. */
  decide: reviewing,
  /** Send payouts: batches, files, returns, or by hand. */
  pay: paying,
  see_payouts: ['owner', 'manager', 'payer', 'auditor'],
  /** Pay by hand even if MANUAL_PAYOUTS is off. */
  pay_by_hand_always: ['owner'],
  /** See which cards we own and what became of them, without their numbers. */
  see_inventory: ['owner', 'manager', 'auditor'],
  /** Record what became of the cards that we own. */
  manage_inventory: managing,
  /** See the numbers, PINs and photos of cards that we own, to use or sell them. */
  release_codes: managing,
  /** Keep data from being erased and money from being sent. Payers only hold submissions that have a payout. */
  place_holds: paying,
  lift_holds: managing,
  /** Move submissions. The table of moves says which capability each move needs. */
  move: acting,
  /** Write notes that only staff read. */
  take_notes: acting,
  /** See encrypted values: those of the next two capabilities that the role has. */
  reveal: acting,
  /** See card numbers, PINs and photos, except of cards that we own. */
  reveal_cards: reviewing,
  reveal_accounts: paying,
  chat: reviewing,
  change_brands: managing,
  clear_submissions: managing,
  /** Hold and block sellers. */
  restrict_sellers: managing,
  read_reports: ['owner', 'manager', 'auditor'],
  read_audit_log: ['owner', 'auditor'],
  manage_staff: ['owner'],
} as const satisfies Record<string, readonly Role[]>

export type Capability = keyof typeof capabilityTable

export const capabilities: Readonly<Record<Capability, readonly Role[]>> = capabilityTable

/** Whether a role may do this. */
export function may(role: Role, capability: Capability): boolean {
  return capabilities[capability].includes(role)
}
