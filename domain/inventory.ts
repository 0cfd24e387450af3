/** Completed cards that we own, and their status: in stock, offered for sale, sold, used or bad. */

export const stockStates = ['in_stock', 'listed', 'sold', 'used', 'bad'] as const
export type StockState = (typeof stockStates)[number]

/** We still have these cards, so their numbers are never erased by age. */
export const heldStates: readonly StockState[] = ['in_stock', 'listed']

/** Whether we still have the card. */
export function isHeld(state: StockState): boolean {
  return heldStates.includes(state)
}

/** The states that an item can move to. Going back in stock corrects a mistake and reverses its entry in the ledger. */
export const stockMoves: Readonly<Record<StockState, readonly StockState[]>> = {
  in_stock: ['listed', 'sold', 'used', 'bad'],
  listed: ['in_stock', 'sold', 'used', 'bad'],
  sold: ['in_stock'],
  used: ['in_stock'],
  bad: ['in_stock'],
}

export function mayMoveStock(from: StockState, to: StockState): boolean {
  return stockMoves[from].includes(to)
}
