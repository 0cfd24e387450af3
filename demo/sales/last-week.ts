import type { Sale } from './sale.ts'

/** In days. */
const MINUTE = 1 / (24 * 60)

const saleId = (number: number): string => `5a1e0000-0000-4000-8000-00000000000${number}`

/** Sales of the last week, oldest first. Most of them are still open. */
export const salesOfLastWeek: readonly Sale[] = [
  {
    daysAgo: 7.2,
    seller: 'lena',
    brand: 'spotify',
    value: '60',
    digital: true,
    steps: [[0.4, 'seller', 'withdraw']],
  },
  {
    daysAgo: 5.1,
    seller: 'tom',
    brand: 'nike',
    value: '90',
    steps: [[0.8, 'maya', 'completed']],
  },
  {
    daysAgo: 4.7,
    seller: 'priya',
    brand: 'home_depot',
    value: '250',
    steps: [[2, 'jonas', 'processing']],
  },
  {
    daysAgo: 4.2,
    seller: 'lena',
    brand: 'best_buy',
    value: '300',
    steps: [
      [1.2, 'maya', 'offered', 'offer_condition', '216.00'],
      [6, 'seller', 'decline'],
    ],
  },
  {
    daysAgo: 3.4,
    seller: 'nina',
    brand: 'mastercard',
    value: '200',
    steps: [
      [2, 'maya', 'processing'],
      [4, 'petra', 'failed', 'payout_name_mismatch'],
      [
        1,
        'maya',
        'hold',
        'The account of the payout belongs to somebody else. Waiting for a proof of identity.',
      ],
    ],
  },
  {
    daysAgo: 2.3,
    seller: 'grace',
    brand: 'uber',
    value: '100',
    steps: [
      [1.1, 'jonas', 'rejected', 'image_code_covered'],
      [30, 'seller', 'appeal', 'The code is scratched free now. Please see the new photo.'],
    ],
  },
  {
    daysAgo: 1.8,
    seller: 'ruth',
    brand: 'sephora',
    value: '150',
    steps: [
      [2, 'jonas', 'check', 'phone', '112.40'],
      [0.1, 'jonas', 'offered', 'offer_balance_lower', '94.40'],
      [9, 'seller', 'accept', '94.40'],
    ],
  },
  {
    daysAgo: 1.4,
    seller: 'grace',
    brand: 'airbnb',
    value: '180',
    notes: 'We are staying home this year.',
    steps: [
      [1.5, 'maya', 'processing'],
      [1.5, 'maya', 'completed'],
    ],
  },
  {
    daysAgo: 1.1,
    seller: 'marcus',
    brand: 'nike',
    value: '62.25',
    sameCardAs: 48,
    notes: 'Found it in a drawer.',
  },
  {
    daysAgo: 0.9,
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
    daysAgo: 0.5,
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
    daysAgo: 0.35,
    seller: 'oscar',
    brand: 'home_depot',
    value: '120',
    steps: [
      [1.2, 'jonas', 'under_review', 'Is the code under the panel eight or ten characters long?'],
      [2, 'seller', 'answer', 'Ten. Here is a larger photo of it.'],
      [1, 'jonas', 'check', 'website', '120.00'],
    ],
  },
  {
    daysAgo: 0.32,
    seller: 'grace',
    brand: 'target',
    value: '200',
    notes: 'I may have used a little of it.',
    steps: [
      [1.4, 'jonas', 'check', 'website', '150.00'],
      [0.1, 'jonas', 'offered', 'offer_balance_lower', '136.50'],
    ],
  },
  {
    daysAgo: 0.3,
    seller: 'ruth',
    brand: 'walmart',
    value: '500',
    saleId: saleId(1),
    steps: [[1.8, 'maya', 'processing']],
  },
  { daysAgo: 0.3 - 2 * MINUTE, seller: 'ruth', brand: 'best_buy', value: '75', saleId: saleId(1) },
  {
    daysAgo: 0.22,
    seller: 'grace',
    brand: 'itunes',
    value: '75',
    digital: true,
    saleId: saleId(2),
    steps: [[1.2, 'jonas', 'processing']],
  },
  {
    daysAgo: 0.22 - 2 * MINUTE,
    seller: 'grace',
    brand: 'google_play',
    value: '50',
    digital: true,
    saleId: saleId(2),
    steps: [[1.2, 'jonas', 'processing']],
  },
  { daysAgo: 0.22 - 4 * MINUTE, seller: 'grace', brand: 'xbox', value: '60', saleId: saleId(2) },
  {
    daysAgo: 0.16,
    seller: 'amara',
    brand: 'corner_shop',
    value: '40',
    notes: 'A shop on my street. Do you take their cards?',
  },
  { daysAgo: 0.11, seller: 'kevin', brand: 'roblox', value: '50', digital: true },
  { daysAgo: 0.09, seller: 'lena', brand: 'amazon', value: '100', saleId: saleId(3) },
  { daysAgo: 0.09 - 2 * MINUTE, seller: 'lena', brand: 'sephora', value: '80', saleId: saleId(3) },
  { daysAgo: 0.09 - 5 * MINUTE, seller: 'lena', brand: 'target', value: '100', saleId: saleId(3) },
  {
    daysAgo: 0.09 - 7 * MINUTE,
    seller: 'lena',
    brand: 'steam',
    value: '50',
    digital: true,
    saleId: saleId(3),
  },
  { daysAgo: 0.06, seller: 'nina', brand: 'etsy', value: '45.90', condition: 'partially_used' },
  {
    daysAgo: 0.03,
    seller: 'diego',
    brand: 'visa',
    value: '250',
    notes: 'Never used, front and back are attached.',
  },
  { daysAgo: 6 * MINUTE, seller: 'grace', brand: 'starbucks', value: '100', notes: 'I drink tea.' },
]
