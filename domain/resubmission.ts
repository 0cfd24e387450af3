import type { ReasonCategory } from './reasons.ts'

/**
 * What a seller can do about a rejected card. Reasons of one kind share their advice. The texts are in
 * words/en/resubmission/resubmission.json.
 */

type RejectionCode = Extract<ReasonCategory, { moves: readonly ['reject', 'fail'] }>['reasons'][number]

/** A drawn example of a photo. */
export type Example = BadExample | 'front' | 'back' | 'receipt'
/** A photo that was rejected, beside one that is accepted. */
type BadExample = 'blurry' | 'dark' | 'cropped' | 'glare' | 'covered'

interface AdviceRule {
  /** Whether the same card can be accepted if the seller submits it again. */
  readonly canHelp: boolean
  readonly examples: readonly Example[]
  /** The number or the PIN may be wrong, so the seller types them again. */
  readonly asksForNumbers?: true
  /** The photos were the reason, so the same ones would be rejected again. */
  readonly asksForPhoto?: true
}

/** `other` is for reasons that staff wrote themselves. */
const adviceRules = {
  photo: { canHelp: true, examples: ['front'], asksForPhoto: true },
  back: { canHelp: true, examples: ['front', 'back'], asksForPhoto: true },
  panel: { canHelp: true, examples: ['covered', 'back'], asksForPhoto: true },
  number: { canHelp: true, examples: ['front', 'back'], asksForNumbers: true },
  activation: { canHelp: true, examples: ['receipt'] },
  receipt: { canHelp: true, examples: ['receipt'], asksForPhoto: true },
  balance: { canHelp: true, examples: ['front'] },
  account: { canHelp: true, examples: ['front'] },
  wait: { canHelp: true, examples: ['front'] },
  other: { canHelp: true, examples: ['front', 'back'] },
  used: { canHelp: false, examples: [] },
  duplicate: { canHelp: false, examples: [] },
  expired: { canHelp: false, examples: [] },
  type: { canHelp: false, examples: [] },
  support: { canHelp: false, examples: [] },
} as const satisfies Readonly<Record<string, AdviceRule>>

type AdviceCode = keyof typeof adviceRules

const adviceOf: Readonly<Record<RejectionCode, AdviceCode>> = {
  image_blurry: 'photo',
  image_dark: 'photo',
  image_cropped: 'photo',
  image_glare: 'photo',
  image_back_missing: 'back',
  image_code_covered: 'panel',
  card_number_invalid: 'number',
  card_pin_invalid: 'number',
  card_expired: 'expired',
  card_not_activated: 'activation',
  card_balance_lower: 'balance',
  card_mismatch: 'number',
  usage_redeemed: 'used',
  usage_duplicate: 'duplicate',
  usage_payout_refused: 'account',
  usage_payout_name: 'account',
  type_not_us: 'type',
  type_cvs_in_store: 'type',
  type_ebay_partial: 'type',
  type_not_resaleable: 'type',
  type_promotional: 'type',
  type_x_code: 'type',
  note_up_to_one_hour: 'wait',
  note_up_to_three_hours: 'wait',
  note_receipt_required: 'receipt',
  note_contact_support: 'support',
}

const badExamples: Readonly<Partial<Record<string, BadExample>>> = {
  image_blurry: 'blurry',
  image_dark: 'dark',
  image_cropped: 'cropped',
  image_glare: 'glare',
} satisfies Partial<Record<RejectionCode, BadExample>>

interface Advice extends AdviceRule {
  readonly code: AdviceCode
}

/** The advice for the code of a rejection. Null, or a code newer than this client, gets `other`. */
export function adviceFor(reasonCode: string | null): Advice {
  const code: AdviceCode =
    (adviceOf as Readonly<Partial<Record<string, AdviceCode>>>)[reasonCode ?? ''] ?? 'other'
  const rule: AdviceRule = adviceRules[code]
  const bad = badExamples[reasonCode ?? '']
  return { ...rule, code, examples: bad ? [bad, ...rule.examples] : rule.examples }
}

/** Whether the seller can correct why a card was rejected, and submit it again. */
export function isFixable({ resubmittable, reasonCode }: RejectedCard): boolean {
  return resubmittable && adviceFor(reasonCode).canHelp
}

interface RejectedCard {
  /** Whether it can be submitted again. */
  readonly resubmittable: boolean
  readonly reasonCode: string | null
}
