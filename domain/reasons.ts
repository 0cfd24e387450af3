import type { MoveName } from './submission.ts'

/**
 * The texts that staff choose from: why they reject a card or could not pay, and what they ask sellers. Each category lists the
 * moves that offer it, in this order. The codes are stored and must not change. The texts are in words/en/staff/reasons.json.
 */
const reasonCategories = [
  {
    code: 'payout',
    moves: ['fail'],
    reasons: [
      'payout_account_not_found',
      'payout_routing_wrong',
      'payout_name_mismatch',
      'payout_refused',
      'payout_limit_reached',
      'payout_account_closed',
      'payout_details_incomplete',
    ],
  },
  {
    code: 'image',
    moves: ['reject', 'fail'],
    reasons: [
      'image_blurry',
      'image_dark',
      'image_cropped',
      'image_glare',
      'image_back_missing',
      'image_code_covered',
    ],
  },
  {
    code: 'card',
    moves: ['reject', 'fail'],
    reasons: [
      'card_number_invalid',
      'card_pin_invalid',
      'card_expired',
      'card_not_activated',
      'card_balance_lower',
      'card_mismatch',
    ],
  },
  {
    code: 'usage',
    moves: ['reject', 'fail'],
    reasons: ['usage_redeemed', 'usage_duplicate', 'usage_payout_refused', 'usage_payout_name'],
  },
  {
    code: 'type',
    moves: ['reject', 'fail'],
    reasons: [
      'type_not_us',
      'type_cvs_in_store',
      'type_ebay_partial',
      'type_not_resaleable',
      'type_promotional',
      'type_x_code',
    ],
  },
  {
    code: 'note',
    moves: ['reject', 'fail'],
    reasons: [
      'note_up_to_one_hour',
      'note_up_to_three_hours',
      'note_receipt_required',
      'note_contact_support',
    ],
  },
  {
    code: 'offer',
    moves: ['offer'],
    reasons: ['offer_balance_lower', 'offer_brand_terms', 'offer_condition', 'offer_expires_soon'],
  },
  {
    code: 'ask_photo',
    moves: ['ask'],
    reasons: [
      'ask_receipt',
      'ask_activation_receipt',
      'ask_card_back',
      'ask_number_photo',
      'ask_pin_uncovered',
      'ask_delivery_email',
    ],
  },
  {
    code: 'ask_details',
    moves: ['ask'],
    reasons: ['ask_where_bought', 'ask_used_before', 'ask_value', 'ask_number', 'ask_account_holder'],
  },
] as const satisfies readonly ReasonTable[]

interface ReasonTable {
  readonly code: string
  readonly moves: readonly MoveName[]
  readonly reasons: readonly string[]
}

export type ReasonCategory = (typeof reasonCategories)[number]
export type ReasonCode = ReasonCategory['reasons'][number]

/** The categories to choose from in a move. Empty if it needs no text. */
export function reasonCategoriesFor(move: MoveName): readonly ReasonCategory[] {
  return reasonCategories.filter(({ moves }: ReasonTable) => moves.includes(move))
}

/** Whether staff can give this reason with this move. */
export function isReasonFor(move: MoveName, code: ReasonCode): boolean {
  return reasonCategoriesFor(move).some(({ reasons }: ReasonTable) => reasons.includes(code))
}

/** The reasons about cards of one brand, with its slug. */
const reasonBrands: Partial<Record<ReasonCode, string>> = {
  type_cvs_in_store: 'cvs',
  type_ebay_partial: 'ebay',
}

/** Whether the reason can be about a card of this brand. */
export function isAboutBrand(code: ReasonCode, brand: string): boolean {
  return (reasonBrands[code] ?? brand) === brand
}

/** The reasons that only a look at the balance can justify. */
const balanceReasons: readonly ReasonCode[] = ['card_balance_lower', 'offer_balance_lower']

export function isAboutBalance(code: ReasonCode | undefined): boolean {
  return code !== undefined && balanceReasons.includes(code)
}

export const reasonCodes: readonly ReasonCode[] = reasonCategories.flatMap(({ reasons }) => reasons)

export function isReasonCode(word: string): word is ReasonCode {
  return (reasonCodes as readonly string[]).includes(word)
}
