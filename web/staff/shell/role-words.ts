import type { Role } from '#domain/roles.ts'

interface RoleWords {
  readonly name: string
  readonly withArticle: string
  /** What the role is for, after "can". */
  readonly can: string
}

export const roleWords: Readonly<Record<Role, RoleWords>> = {
  owner: { name: 'Owner', withArticle: 'an owner', can: 'do everything, including staff accounts' },
  manager: {
    name: 'Manager',
    withArticle: 'a manager',
    can: 'review, pay, change brands and rates, and clear submissions',
  },
  reviewer: {
    name: 'Reviewer',
    withArticle: 'a reviewer',
    can: 'decide on submissions, see card numbers and photos, and chat',
  },
  payer: {
    name: 'Payer',
    withArticle: 'a payer',
    can: 'pay, see payout accounts and chat, but see no card numbers',
  },
  auditor: {
    name: 'Auditor',
    withArticle: 'an auditor',
    can: 'read everything that is not secret, and the audit log',
  },
  support: {
    name: 'Support',
    withArticle: 'a support agent',
    can: 'chat, and see names, statuses and prices, but no photos, numbers or accounts',
  },
}
