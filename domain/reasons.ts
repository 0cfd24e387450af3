/** Why a submission was rejected or a payment failed. */
export interface Reason {
  /** Must not change. */
  readonly code: string
  /** What the seller reads. */
  readonly text: string
}

export interface ReasonCategory {
  readonly name: string
  readonly reasons: readonly Reason[]
}

export const reasonCategories: readonly ReasonCategory[] = [
  {
    name: 'Image Quality Issues',
    reasons: [
      { code: 'image_blurry', text: 'The photo is blurry. Please send a sharp photo of the whole card.' },
      { code: 'image_dark', text: 'The photo is too dark to read. Please take it in good light.' },
      { code: 'image_cropped', text: 'Part of the card is cut off. Please show all four corners.' },
      {
        code: 'image_glare',
        text: 'Glare hides the number or code. Please photograph the card without flash.',
      },
      { code: 'image_back_missing', text: 'The back of the card is missing. Please send front and back.' },
      {
        code: 'image_code_covered',
        text: 'The code is still covered. Please scratch off the panel and send a new photo.',
      },
    ],
  },
  {
    name: 'Card Validity Issues',
    reasons: [
      {
        code: 'card_number_invalid',
        text: 'The issuer does not know this card number. Please check it for typos.',
      },
      { code: 'card_pin_invalid', text: 'The PIN or redemption code is not accepted by the issuer.' },
      { code: 'card_expired', text: 'The card has expired.' },
      {
        code: 'card_not_activated',
        text: 'The card was never activated. Please ask the shop that sold it to you.',
      },
      { code: 'card_balance_lower', text: 'The balance on the card is lower than the value you entered.' },
      { code: 'card_mismatch', text: 'The number you entered is not the one in the photo.' },
    ],
  },
  {
    name: 'Account/Usage Issues',
    reasons: [
      { code: 'usage_redeemed', text: 'The card has already been redeemed.' },
      { code: 'usage_duplicate', text: 'This card has been submitted before.' },
      {
        code: 'usage_payout_refused',
        text: 'Your payout account did not accept the payment. Please check its details.',
      },
      { code: 'usage_payout_name', text: 'The account holder name does not match the payout account.' },
    ],
  },
  {
    name: 'Card Type Restrictions',
    reasons: [
      { code: 'type_not_us', text: 'The card was not issued in the United States.' },
      { code: 'type_cvs_in_store', text: 'CVS cards are taken only when they can be used in store.' },
      { code: 'type_ebay_partial', text: 'eBay cards are not taken partially used.' },
      {
        code: 'type_not_resaleable',
        text: "The issuer's terms do not allow this kind of card to be resold.",
      },
      { code: 'type_promotional', text: 'Promotional and reward cards are not taken.' },
      {
        code: 'type_x_code',
        text: 'Only cards whose redemption code begins with X are taken for this brand.',
      },
    ],
  },
  {
    name: 'Special Instructions',
    reasons: [
      {
        code: 'note_up_to_one_hour',
        text: 'Processing this card may take up to an hour. Please submit it again and allow for that.',
      },
      {
        code: 'note_up_to_three_hours',
        text: 'Processing this card may take up to 3 hours. Please submit it again and allow for that.',
      },
      {
        code: 'note_receipt_required',
        text: 'A purchase receipt is required for this card. Please submit it again with a photo of the receipt.',
      },
      {
        code: 'note_contact_support',
        text: 'We need to speak with you about this card. Please contact support.',
      },
    ],
  },
]
