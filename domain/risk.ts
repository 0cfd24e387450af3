import { hasExpired } from './card.ts'
import { type Cents, toDollars, toShortDollars } from './money.ts'
import { namesAgree } from './names.ts'
import { isReasonCode } from './reasons.ts'
import type { Move } from './submission.ts'

/** The facts about a submission that the rules check for risks. */
export interface RiskFacts {
  /**
   * The completed submission of the same number, and how many days ago it was completed. An approved one counts too, because its
   * payout may leave at any time. If both are approved, it counts for the newer one.
   */
  readonly bought: { readonly id: string; readonly daysAgo: number } | null
  /** Other open submissions of the same number, and the newest of them. */
  readonly sameNumber: Others
  /** Other submissions with a similar photo, and the newest of them. */
  readonly similarPhoto: Others
  /** Other sellers who are paid to the same account. */
  readonly accountSellers: number
  /** A bank, service or payer refused the payout account, with its code if it has one. */
  readonly deadAccount: { readonly code: string | null } | null
  /** The holder of the payout account, as typed. */
  readonly holderName: string
  readonly sellerName: string
  readonly faceValue: Cents
  /** MM/YY. Null if the seller gave none, and after the card's numbers are erased. */
  readonly expirationDate: string | null
  /** The newest recorded balance, and when it was recorded. */
  readonly lastBalance: { readonly amount: Cents; readonly at: string } | null
  /** The seller has not accepted another price. */
  readonly isQuotedPrice: boolean
  /** The days between the seller's registration and the submission. */
  readonly accountAgeDays: number
  /** The seller's submissions within `MANY_CARDS.hours` before or after this one, which is counted too. */
  readonly cardsAround: number
  readonly isUnlistedBrand: boolean
  readonly isEmailConfirmed: boolean
}

interface Others {
  readonly count: number
  readonly newest: string | null
}

/** A new account that sells a card of at least this value is a risk. */
const HIGH_VALUE_OF_NEW_ACCOUNT = { days: 7, cents: 20_000 }
/** Also a risk: this many cards of one seller within these hours. */
export const MANY_CARDS = { cards: 5, hours: 24 }

interface Finding {
  /** The values in the risk's sentence. */
  readonly params?: Readonly<Record<string, string | number>>
  /** The other submission. */
  readonly submissionId?: string | null
  /** When the risk arose. An earlier acknowledgement does not count for it. */
  readonly since?: string
}

interface RiskRule {
  /** The risks of a submission are listed from the heaviest to the lightest. */
  readonly weight: number
  /** Approving is refused until somebody has acknowledged the risk with a reason. */
  readonly blocking: boolean
  /** @returns undefined if there is no such risk */
  readonly find: (facts: RiskFacts) => Finding | undefined
}

/** From this weight on, a risk is shown as serious. */
const SERIOUS_WEIGHT = 35

/** The rules. The sentence of each is in words/en/server/risks.json. */
const ruleTable = {
  same_number_completed: {
    weight: 100,
    blocking: true,
    find: ({ bought }) =>
      bought ? { params: { days: bought.daysAgo }, submissionId: bought.id } : undefined,
  },
  low_balance: {
    weight: 90,
    blocking: true,
    find: ({ lastBalance: balance, faceValue, isQuotedPrice }) =>
      balance && isQuotedPrice && balance.amount < faceValue
        ? { params: shortfall(balance.amount, faceValue), since: balance.at }
        : undefined,
  },
  same_number: {
    weight: 60,
    blocking: false,
    find: ({ sameNumber }) => others(sameNumber),
  },
  similar_photo: {
    weight: 50,
    blocking: false,
    find: ({ similarPhoto }) => others(similarPhoto),
  },
  expired: {
    weight: 45,
    blocking: false,
    find: ({ expirationDate: date }) => (date && hasExpired(date) ? { params: { date } } : undefined),
  },
  shared_account: {
    weight: 40,
    blocking: false,
    find: ({ accountSellers: count }) => (count > 0 ? { params: { count } } : undefined),
  },
  dead_account: {
    weight: 35,
    blocking: false,
    find: ({ deadAccount }) => {
      if (!deadAccount) return undefined
      const { code } = deadAccount
      return { params: { code: code === null || isReasonCode(code) ? 'none' : code } }
    },
  },
  holder_name: {
    weight: 30,
    blocking: false,
    find: ({ holderName: holder, sellerName: seller }) =>
      namesAgree(holder, seller) ? undefined : { params: { holder, seller } },
  },
  new_account_high_value: {
    weight: 30,
    blocking: false,
    find: ({ accountAgeDays: days, faceValue }) =>
      days < HIGH_VALUE_OF_NEW_ACCOUNT.days && faceValue >= HIGH_VALUE_OF_NEW_ACCOUNT.cents
        ? { params: { days, amount: toShortDollars(faceValue) } }
        : undefined,
  },
  many_cards: {
    weight: 20,
    blocking: false,
    find: ({ cardsAround: count }) =>
      count >= MANY_CARDS.cards ? { params: { count, hours: MANY_CARDS.hours } } : undefined,
  },
  unlisted_brand: {
    weight: 10,
    blocking: false,
    find: ({ isUnlistedBrand }) => (isUnlistedBrand ? {} : undefined),
  },
  unconfirmed_email: {
    weight: 5,
    blocking: false,
    find: ({ isEmailConfirmed }) => (isEmailConfirmed ? undefined : {}),
  },
} as const satisfies Record<string, RiskRule>

export type RiskCode = keyof typeof ruleTable
export const riskCodes = Object.keys(ruleTable) as [RiskCode, ...RiskCode[]]
const riskRules: Readonly<Record<RiskCode, RiskRule>> = ruleTable

export interface Risk extends Finding {
  readonly code: RiskCode
  readonly blocking: boolean
  readonly submissionId: string | null
}

/** The risks of a submission, heaviest first. */
export function findRisks(facts: RiskFacts): Risk[] {
  return riskCodes
    .toSorted((one, other) => riskRules[other].weight - riskRules[one].weight)
    .flatMap((code) => {
      const { blocking, find } = riskRules[code]
      const found = find(facts)
      return found ? [{ code, blocking, ...found, submissionId: found.submissionId ?? null }] : []
    })
}

/** The values in the sentence of `low_balance`. */
export function shortfall(balance: Cents, faceValue: Cents) {
  return { balance: toDollars(balance), missing: toDollars(faceValue - balance) }
}

function others({ count, newest }: Others): Finding | undefined {
  return count > 0 ? { params: { count }, submissionId: newest } : undefined
}

/** Whether the risk is a sign of fraud or of a card without value, rather than something to know. */
export function isSerious(code: RiskCode): boolean {
  return riskRules[code].weight >= SERIOUS_WEIGHT
}

/** Whether staff agree to pay for the card with this move, or pay for it. The revert of a payout does neither. */
export function commitsToPay({ approves, by, from, to }: Move): boolean {
  return (
    approves === true ||
    (by === 'staff' && from !== 'completed' && (to === 'processing' || to === 'completed'))
  )
}

/** Whether staff cannot make the move until somebody has acknowledged the risk. A lower offer is the answer to a low balance. */
export function blocksMove(code: RiskCode, move: Move): boolean {
  return riskRules[code].blocking && commitsToPay(move) && (code !== 'low_balance' || move.needs !== 'offer')
}
