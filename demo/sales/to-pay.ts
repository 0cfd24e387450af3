import type { SellerName } from '../people.ts'
import type { Sale } from './sale.ts'

/** Cards that were approved in the last days and are to be paid: enough for batches of six payment methods. */
export const salesToPay: readonly Sale[] = (
  [
    ['diego', 'amazon', '100', 4.9],
    ['priya', 'home_depot', '250', 4.7],
    ['tom', 'target', '75', 4.6],
    ['marcus', 'playstation', '110', 4.4],
    ['kevin', 'steam', '50', 4.3],
    ['lena', 'sephora', '80', 4.1],
    ['walter', 'best_buy', '200', 3.9],
    ['grace', 'nordstrom', '120', 3.8],
    ['ruth', 'walmart', '300', 3.7],
    ['diego', 'nike', '65', 3.6],
    ['tom', 'starbucks', '100', 3.3],
    ['priya', 'visa', '200', 3.2],
    ['marcus', 'xbox', '60', 3.1],
    ['kevin', 'roblox', '35', 2.9],
    ['ruth', 'ebay', '150', 2.8],
    ['lena', 'uber', '90', 2.7],
    ['diego', 'google_play', '45', 2.6],
    ['walter', 'amazon', '150', 2.4],
    ['tom', 'home_depot', '180', 2.2],
    ['marcus', 'nintendo_eshop', '70', 2.1],
    ['priya', 'etsy', '85', 1.9],
    ['kevin', 'spotify', '30', 1.8],
    ['lena', 'itunes', '100', 1.7],
    ['ruth', 'airbnb', '250', 1.6],
    ['diego', 'steam', '75', 1.3],
    ['tom', 'best_buy', '125', 1.2],
    ['priya', 'target', '95', 1.1],
    ['marcus', 'amazon', '50', 0.9],
    ['lena', 'hulu', '25', 0.8],
    ['ruth', 'nike', '140', 0.7],
  ] satisfies [SellerName, brand: string, value: string, daysAgo: number][]
).map(([seller, brand, value, daysAgo]) => ({
  seller,
  brand,
  value,
  daysAgo,
  steps: [[2, 'jonas', 'processing']],
}))
