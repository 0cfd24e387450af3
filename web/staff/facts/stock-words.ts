import type { StockState } from '#domain/inventory.ts'
import type { Tone } from '#web/kit/tone.ts'
import { counted } from '../list/nouns.ts'

interface StateWords {
  readonly name: string
  readonly tone: Tone
  /** The button that brings a card into this state. */
  readonly action: string
  /** What it means. */
  readonly meaning: string
  /** After the number of cards: "3 cards sold". */
  readonly done: string
}

export const stockWords: Readonly<Record<StockState, StateWords>> = {
  in_stock: {
    name: 'In stock',
    tone: 'info',
    action: 'Put back in stock',
    meaning:
      'Undoes what was recorded: the listing, the sale, the use, or what the seller owes. The ledger gets the opposite entry.',
    done: 'back in stock',
  },
  listed: {
    name: 'Listed',
    tone: 'caution',
    action: 'List',
    meaning: 'The cards are offered for sale, and are still ours until you mark them as sold.',
    done: 'listed',
  },
  sold: {
    name: 'Sold',
    tone: 'positive',
    action: 'Mark as sold',
    meaning: 'The cards leave the stock. Their numbers will be erased after the retention period.',
    done: 'sold',
  },
  used: {
    name: 'Used',
    tone: 'neutral',
    action: 'Mark as used',
    meaning:
      'We spent the cards ourselves, so they leave the stock. Their numbers will be erased after the retention period.',
    done: 'used',
  },
  bad: {
    name: 'Bad',
    tone: 'negative',
    action: 'Mark as bad',
    meaning:
      'Cards that did not work leave the stock. Their numbers will be erased after the retention period.',
    done: 'marked as bad',
  },
}

/** 1 -> "1 card" */
export const cards = (count: number) => counted(count, 'card')
