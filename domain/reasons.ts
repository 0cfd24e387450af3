/**
 * Why a submission was rejected or a payment failed, by category. The codes are stored and must not change. The texts are in
 * words/en/reasons.json.
 */
export const reasonCategories = [
  {
    code: 'image',
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
    reasons: ['usage_redeemed', 'usage_duplicate', 'usage_payout_refused', 'usage_payout_name'],
  },
  {
    code: 'type',
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
    reasons: [
      'note_up_to_one_hour',
      'note_up_to_three_hours',
      'note_receipt_required',
      'note_contact_support',
    ],
  },
] as const

export type ReasonCategory = (typeof reasonCategories)[number]
export type ReasonCode = ReasonCategory['reasons'][number]

export const reasonCodes: readonly ReasonCode[] = reasonCategories.flatMap(({ reasons }) => reasons)

export function isReasonCode(word: string): word is ReasonCode {
  return (reasonCodes as readonly string[]).includes(word)
}
