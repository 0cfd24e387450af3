/** What managers allow a seller. */
export const sellerStates = ['active', 'held', 'blocked'] as const
export type SellerState = (typeof sellerStates)[number]

interface SellerStateRule {
  readonly maySubmit: boolean
  /** Whether staff may make the moves that pay. */
  readonly isPaid: boolean
}

export const sellerStateRules: Readonly<Record<SellerState, SellerStateRule>> = {
  active: { maySubmit: true, isPaid: true },
  held: { maySubmit: true, isPaid: false },
  // What was approved before is still owed.
  blocked: { maySubmit: false, isPaid: true },
}
