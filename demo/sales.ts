import { reasonCategories } from '#domain/reasons.ts'
import type { Status } from '#domain/submission.ts'
import type { SellerName, StaffName } from './people.ts'

/** Something that happens to a submission, so many hours after what came before it. */
export type Step =
  | readonly [hours: number, by: StaffName, to: Status, words?: string]
  | readonly [hours: number, by: 'seller', deed: 'answer' | 'withdraw', words?: string]

export interface Sale {
  /** Days ago. */
  readonly ago: number
  readonly seller: SellerName
  readonly brand: string
  /** Dollars. */
  readonly value: string
  readonly notes?: string
  readonly condition?: 'partially_used'
  readonly digital?: true
  /** The card of another sale, tried once more. */
  readonly sameCardAs?: number
  readonly steps?: readonly Step[]
  /** What the seller thought of it in the end: stars, words. */
  readonly review?: readonly [rating: number, comment?: string]
}

/** The reason with this code, as staff choose it from the list. */
function reason(code: string): string {
  const found = reasonCategories.flatMap(({ reasons }) => reasons).find((one) => one.code === code)
  if (!found) throw new Error(`There is no reason ${code}`)
  return found.text
}

const MINUTES = 1 / 60

/** Six weeks of business, oldest first. */
export const sales: readonly Sale[] = [
  {
    ago: 40.6,
    seller: 'grace',
    brand: 'amazon',
    value: '150',
    notes: 'A retirement present. I have everything I need!',
    steps: [
      [1.2, 'maya', 'processing'],
      [0.8, 'maya', 'completed'],
    ],
    review: [5, 'Paid before I had finished my coffee.'],
  },
  {
    ago: 39.4,
    seller: 'marcus',
    brand: 'steam',
    value: '50',
    digital: true,
    steps: [[0.7, 'jonas', 'completed']],
    review: [5],
  },
  {
    ago: 37.2,
    seller: 'priya',
    brand: 'home_depot',
    value: '500',
    notes: 'We rent, there is nothing to build.',
    steps: [
      [
        2,
        'maya',
        'under_review',
        'Could you send a photo of the receipt? It is a large card, so we look twice.',
      ],
      [5, 'seller', 'answer', 'Of course. It was bought in March, the receipt is attached.'],
      [1, 'maya', 'processing'],
      [3, 'maya', 'completed'],
    ],
    review: [4, 'A question more than I expected, but friendly and quick.'],
  },
  {
    ago: 34.1,
    seller: 'marcus',
    brand: 'xbox',
    value: '75',
    steps: [[1.5, 'jonas', 'rejected', reason('usage_redeemed')]],
  },
  {
    ago: 32.7,
    seller: 'tom',
    brand: 'starbucks',
    value: '100',
    steps: [
      [0.6, 'maya', 'processing'],
      [1.1, 'jonas', 'completed'],
    ],
  },
  {
    ago: 29.5,
    seller: 'lena',
    brand: 'sephora',
    value: '120',
    notes: 'Bought twice by mistake.',
    steps: [
      [1, 'jonas', 'processing'],
      [2, 'jonas', 'failed', reason('usage_payout_refused')],
      [20, 'jonas', 'processing'],
      [1, 'jonas', 'completed'],
    ],
    review: [4, 'My tag was misspelt; they waited for me and paid the next day.'],
  },
  {
    ago: 27.8,
    seller: 'grace',
    brand: 'target',
    value: '200',
    steps: [[0.9, 'maya', 'completed']],
    review: [5, 'Second time here, just as smooth.'],
  },
  {
    ago: 25.3,
    seller: 'diego',
    brand: 'playstation',
    value: '110',
    digital: true,
    steps: [
      [1, 'jonas', 'processing'],
      [0.5, 'jonas', 'completed'],
    ],
  },
  {
    ago: 21.6,
    seller: 'ruth',
    brand: 'visa',
    value: '400',
    notes: 'A bonus from work. The PIN is on the back.',
    steps: [
      [3, 'maya', 'processing'],
      [18, 'maya', 'completed'],
    ],
    review: [5],
  },
  {
    ago: 18.9,
    seller: 'kevin',
    brand: 'best_buy',
    value: '80.50',
    condition: 'partially_used',
    notes: 'The balance is what the till said last week.',
    steps: [[1.4, 'jonas', 'rejected', reason('card_balance_lower')]],
  },
  {
    ago: 18.2,
    seller: 'kevin',
    brand: 'best_buy',
    value: '62.25',
    condition: 'partially_used',
    sameCardAs: 9,
    notes: 'The same card with the right balance, sorry.',
    steps: [
      [2, 'jonas', 'processing'],
      [1, 'jonas', 'completed'],
    ],
    review: [5, 'My mistake, and they were patient.'],
  },
  {
    ago: 13.7,
    seller: 'amara',
    brand: 'airbnb',
    value: '250',
    steps: [
      [0.9, 'maya', 'processing'],
      [1.2, 'maya', 'completed'],
    ],
  },
  {
    ago: 11.4,
    seller: 'diego',
    brand: 'cvs',
    value: '50',
    steps: [[1, 'maya', 'rejected', reason('image_glare')]],
  },
  {
    ago: 8.6,
    seller: 'oscar',
    brand: 'lowes',
    value: '300',
    notes: 'House sold, toolbox sold, card left over.',
    steps: [
      [1.3, 'jonas', 'processing'],
      [2.5, 'jonas', 'completed'],
    ],
    review: [5, 'Fair rate.'],
  },
  {
    ago: 7.2,
    seller: 'lena',
    brand: 'spotify',
    value: '60',
    digital: true,
    steps: [[0.4, 'seller', 'withdraw']],
  },
  {
    ago: 5.1,
    seller: 'tom',
    brand: 'nike',
    value: '90',
    steps: [[0.8, 'maya', 'completed']],
  },
  {
    ago: 3.4,
    seller: 'nina',
    brand: 'mastercard',
    value: '200',
    steps: [
      [2, 'maya', 'processing'],
      [4, 'maya', 'failed', reason('usage_payout_name')],
    ],
  },
  {
    ago: 2.3,
    seller: 'grace',
    brand: 'uber',
    value: '100',
    steps: [[1.1, 'jonas', 'rejected', reason('image_code_covered')]],
  },
  {
    ago: 1.4,
    seller: 'grace',
    brand: 'airbnb',
    value: '180',
    notes: 'We stay at home this year.',
    steps: [
      [1.5, 'maya', 'processing'],
      [1.5, 'maya', 'completed'],
    ],
  },
  {
    ago: 1.1,
    seller: 'marcus',
    brand: 'amazon',
    value: '62.25',
    sameCardAs: 0,
    notes: 'Found it in a drawer.',
  },
  {
    ago: 0.9,
    seller: 'priya',
    brand: 'american_express',
    value: '350',
    steps: [
      [
        2.5,
        'jonas',
        'under_review',
        'The photo cuts off the last four digits. Could you send one of the whole front?',
      ],
    ],
  },
  {
    ago: 0.5,
    seller: 'grace',
    brand: 'nordstrom',
    value: '150',
    notes: 'From my sister, who means well.',
    steps: [
      [
        2,
        'maya',
        'under_review',
        'Could you send a photo of the receipt? We want to be sure it was bought in the US.',
      ],
    ],
  },
  {
    ago: 0.35,
    seller: 'oscar',
    brand: 'home_depot',
    value: '120',
    steps: [
      [1.2, 'jonas', 'under_review', 'Is the code under the panel eight or ten characters long?'],
      [2, 'seller', 'answer', 'Ten. Here it is once more, larger.'],
    ],
  },
  { ago: 0.3, seller: 'ruth', brand: 'walmart', value: '500', steps: [[1.8, 'maya', 'processing']] },
  {
    ago: 0.22,
    seller: 'grace',
    brand: 'itunes',
    value: '75',
    digital: true,
    steps: [[1.2, 'jonas', 'processing']],
  },
  {
    ago: 0.16,
    seller: 'amara',
    brand: 'corner_shop',
    value: '40',
    notes: 'A shop in my street. Do you take it?',
  },
  { ago: 0.11, seller: 'kevin', brand: 'roblox', value: '50', digital: true },
  { ago: 0.06, seller: 'nina', brand: 'etsy', value: '45.90', condition: 'partially_used' },
  {
    ago: 0.03,
    seller: 'diego',
    brand: 'visa',
    value: '250',
    notes: 'Never used, front and back are attached.',
  },
  { ago: 6 * MINUTES * (1 / 24), seller: 'grace', brand: 'starbucks', value: '100', notes: 'I drink tea.' },
]
