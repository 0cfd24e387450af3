/** The brands and rates of the spec. A test compares them with the catalog. */
export const samples = [
  { name: 'Amazon', slug: 'amazon', rate: '93%' },
  { name: 'Apple iTunes', slug: 'itunes', rate: '91%' },
  { name: 'Walmart', slug: 'walmart', rate: '91%' },
  { name: 'Starbucks', slug: 'starbucks', rate: '89%' },
  { name: 'Steam', slug: 'steam', rate: '88%' },
  { name: 'Target', slug: 'target', rate: '91%' },
] as const

/** The brands that the calculator offers besides the samples. A test checks that all of them are popular. */
export const otherPopularBrands = [
  { name: 'Best Buy', slug: 'best_buy' },
  { name: 'eBay', slug: 'ebay' },
  { name: 'Google Play', slug: 'google_play' },
  { name: 'PlayStation', slug: 'playstation' },
] as const

/** The examples of the spec. A test compares them with the catalog. The first is also the calculator's first quote. */
export const examples = [
  { brand: 'Amazon', slug: 'amazon', faceValue: '100.00', pays: '93.00', block: 'w-93/100' },
  { brand: 'iTunes', slug: 'itunes', faceValue: '50.00', pays: '45.50', block: 'w-91/100' },
  { brand: 'Steam', slug: 'steam', faceValue: '25.00', pays: '22.00', block: 'w-88/100' },
] as const
