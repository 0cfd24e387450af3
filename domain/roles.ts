/** What an administrator may do. Each route for staff names one of these, and screens hide what the role lacks. */
const allCapabilities = [
  /** Manage your own account: password, second factor, passkeys. */
  'use_account',
  /** See submissions and transactions: sellers' names, cards without their numbers, statuses and prices. */
  'see_submissions',
  /** See sellers: names, statuses and totals. */
  'see_sellers',
  'see_brands',
  /** See the other facts that are not secret: masked numbers and accounts, addresses, histories, checks, risks, notes, holds. */
  'see_details',
  /** Decide on submissions, and record balance checks. */
  'decide',
  /** Send payouts: batches, files, returns, or by hand. */
  'pay',
  /** Approve what a payer prepared or reported: release a batch, confirm that a bank rejected one. */
  'release_batches',
  'see_payouts',
  /** Pay by hand even if MANUAL_PAYOUTS is off. */
  'pay_by_hand_always',
  /** See the cards that we own and their status, without their numbers. */
  'see_inventory',
  /** Record the status of the cards that we own. */
  'manage_inventory',
  /** See the numbers, PINs and photos of cards that we own, to use or sell them. */
  'release_codes',
  /** Keep data from being erased and money from being sent. Payers only hold submissions that have a payout. */
  'place_holds',
  'lift_holds',
  /** Move submissions. The table of moves says which capability each move needs. */
  'move',
  /** Write notes that only staff read. */
  'take_notes',
  /** See encrypted values: those of the next two capabilities that the role has. */
  'reveal',
  /** See card numbers, PINs and photos, except of cards that we own. */
  'reveal_cards',
  'reveal_accounts',
  'chat',
  'change_brands',
  /** See policies, what they decided, and their reports. */
  'see_policies',
  /** Write policies, turn them on, and stop them all. */
  'write_policies',
  /** Decide which reviews visitors may read. */
  'moderate_reviews',
  'clear_submissions',
  /** Hold and block sellers. */
  'restrict_sellers',
  'read_reports',
  /** Export what tax forms need of sellers, with their taxpayer numbers. */
  'export_tax_forms',
  /** End a month of the ledger for good. */
  'close_months',
  'read_audit_log',
  'manage_staff',
  /** See how the shop runs, and retry or discard jobs that failed. */
  'manage_system',
  /** Let other programs in and send them events: API tokens and webhooks. */
  'manage_connections',
] as const
export type Capability = (typeof allCapabilities)[number]

const helping = ['use_account', 'see_submissions', 'see_sellers', 'see_brands'] as const
const reading = [...helping, 'see_details'] as const
const working = [...reading, 'move', 'take_notes', 'reveal'] as const
const deciding = [...working, 'decide', 'reveal_cards', 'chat'] as const
const paying = [
  ...working,
  'pay',
  'release_batches',
  'see_payouts',
  'place_holds',
  'reveal_accounts',
  'chat',
] as const
const managing = [
  ...deciding,
  ...paying,
  'lift_holds',
  'see_inventory',
  'manage_inventory',
  'release_codes',
  'change_brands',
  'see_policies',
  'write_policies',
  'moderate_reviews',
  'clear_submissions',
  'restrict_sellers',
  'read_reports',
  'export_tax_forms',
  'close_months',
] as const

interface RoleRow {
  /** The name on staff screens, alone and in a sentence. */
  readonly name: string
  readonly withArticle: string
  /** What the role is for, after "can". */
  readonly can: string
  readonly capabilities: readonly Capability[]
}

/** The roles of administrators, and what each may do. What sellers read of them is in `words/`. */
export const roleTable = {
  owner: {
    name: 'Owner',
    withArticle: 'an owner',
    can: 'do everything, including staff accounts',
    capabilities: allCapabilities,
  },
  manager: {
    name: 'Manager',
    withArticle: 'a manager',
    can: 'review, pay, change brands and rates, and clear submissions',
    capabilities: managing,
  },
  reviewer: {
    name: 'Reviewer',
    withArticle: 'a reviewer',
    can: 'decide on submissions, see card numbers and photos, and chat',
    capabilities: deciding,
  },
  payer: {
    name: 'Payer',
    withArticle: 'a payer',
    can: 'pay, see payout accounts and chat, but see no card numbers',
    capabilities: paying,
  },
  auditor: {
    name: 'Auditor',
    withArticle: 'an auditor',
    can: 'read everything that is not secret, and the audit log',
    capabilities: [
      ...reading,
      'see_payouts',
      'see_inventory',
      'see_policies',
      'read_reports',
      'read_audit_log',
    ],
  },
  support: {
    name: 'Support',
    withArticle: 'a support agent',
    can: 'chat, and see names, statuses and prices, but no photos, numbers or accounts',
    capabilities: [...helping, 'chat'],
  },
} as const satisfies Record<string, RoleRow>

export type Role = keyof typeof roleTable
export const roles = Object.keys(roleTable) as [Role, ...Role[]]

/**
 * What only a signed-in person may do, and an API token of any role may not: see secrets, because sellers read who did, be the
 * second person, and let others in.
 */
export const personalCapabilities: readonly Capability[] = [
  'use_account',
  'reveal',
  'reveal_cards',
  'reveal_accounts',
  'release_codes',
  'export_tax_forms',
  'release_batches',
  'write_policies',
  'manage_staff',
  'manage_connections',
]

/** Whether a role may do this. */
export function may(role: Role, capability: Capability): boolean {
  return (roleTable[role] as RoleRow).capabilities.includes(capability)
}

export function isCapability(text: string): text is Capability {
  return allCapabilities.some((capability) => capability === text)
}

export function rolesThatMay(capability: Capability): Role[] {
  return roles.filter((role) => may(role, capability))
}
