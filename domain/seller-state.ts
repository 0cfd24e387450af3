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

/** Why a card cannot be paid now; undefined if it can. */
export function paymentStop(of: {
  readonly sellerState: SellerState
  /** A hold on the submission or its seller. */
  readonly isOnHold: boolean
}): 'seller_held' | 'on_hold' | undefined {
  if (!sellerStateRules[of.sellerState].isPaid) return 'seller_held'
  return of.isOnHold ? 'on_hold' : undefined
}
