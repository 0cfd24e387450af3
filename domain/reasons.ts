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

const list = (rows: readonly (readonly [code: string, text: string])[]): Reason[] =>
  rows.map(([code, text]) => ({ code, text }))

export const reasonCategories: readonly ReasonCategory[] = [
  {
    name: 'Image Quality Issues',
    reasons: list([
      ['image_blurry', 'The photo is blurry. Please send a sharp photo of the whole card.'],
      ['image_dark', 'The photo is too dark to read. Please take it in good light.'],
      ['image_cropped', 'Part of the card is cut off. Please show all four corners.'],
      ['image_glare', 'Glare hides the number or code. Please photograph the card without flash.'],
      ['image_back_missing', 'The back of the card is missing. Please send front and back.'],
      ['image_code_covered', 'The code is still covered. Please scratch off the panel and send a new photo.'],
    ]),
  },
  {
    name: 'Card Validity Issues',
    reasons: list([
      ['card_number_invalid', 'The issuer does not know this card number. Please check it for typos.'],
      ['card_pin_invalid', 'The PIN or redemption code is not accepted by the issuer.'],
      ['card_expired', 'The card has expired.'],
      ['card_not_activated', 'The card was never activated. Please ask the shop that sold it to you.'],
      ['card_balance_lower', 'The balance on the card is lower than the value you entered.'],
      ['card_mismatch', 'The number you entered is not the one in the photo.'],
    ]),
  },
  {
    name: 'Account/Usage Issues',
    reasons: list([
      ['usage_redeemed', 'The card has already been redeemed.'],
      ['usage_duplicate', 'This card has been submitted before.'],
      ['usage_payout_refused', 'Your payout account did not accept the payment. Please check its details.'],
      ['usage_payout_name', 'The account holder name does not match the payout account.'],
    ]),
  },
  {
    name: 'Card Type Restrictions',
    reasons: list([
      ['type_not_us', 'The card was not issued in the United States.'],
      ['type_cvs_in_store', 'We take CVS cards only if they can be used in stores.'],
      ['type_ebay_partial', 'We do not take partially used eBay cards.'],
      ['type_not_resaleable', "The issuer's terms do not allow this kind of card to be resold."],
      ['type_promotional', 'We do not take promotional and reward cards.'],
      ['type_x_code', 'For this brand, we only take cards whose redemption code begins with X.'],
    ]),
  },
  {
    name: 'Special Instructions',
    reasons: list([
      [
        'note_up_to_one_hour',
        'Processing this card may take up to an hour. Please submit it again and allow for that.',
      ],
      [
        'note_up_to_three_hours',
        'Processing this card may take up to 3 hours. Please submit it again and allow for that.',
      ],
      [
        'note_receipt_required',
        'A purchase receipt is required for this card. Please submit it again with a photo of the receipt.',
      ],
      ['note_contact_support', 'We need to speak with you about this card. Please contact support.'],
    ]),
  },
]
