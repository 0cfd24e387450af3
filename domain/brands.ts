import type { BasisPoints, Cents } from './money.ts'

/** A brand whose gift cards we buy, with its terms. */
export interface Brand {
  /** The slug that identifies the brand on the wire and in addresses. */
  readonly value: string
  readonly name: string
  readonly category: Category
  /** Share of the face value that the seller is paid. */
  readonly rate: BasisPoints
  readonly minimum: Cents
  readonly maximum: Cents
  readonly popular: boolean
}

export const categories = [
  'E-commerce',
  'Retail',
  'Electronics',
  'Fashion',
  'Food & Drink',
  'Entertainment',
  'Gaming',
  'Beauty',
  'Home',
  'Gift Cards',
  'Transportation',
  'Travel',
  'Grocery',
  'Pharmacy',
  'Software',
] as const
export type Category = (typeof categories)[number]

type Row = readonly [value: string, name: string, rate: number, minimum: number, maximum: number, 'popular'?]

/** Per category: slug, name, rate in percent, minimum and maximum face value in dollars. */
const catalog: Readonly<Record<Category, readonly Row[]>> = {
  'E-commerce': [
    ['amazon', 'Amazon', 93, 25, 2000, 'popular'],
    ['ebay', 'eBay', 90, 25, 1000, 'popular'],
    ['etsy', 'Etsy', 86, 25, 300],
  ],
  Retail: [
    ['target', 'Target', 91, 50, 2000, 'popular'],
    ['walmart', 'Walmart', 91, 50, 2000, 'popular'],
    ['costco', 'Costco', 90, 50, 1000],
    ['jcpenney', 'JCPenney', 82, 25, 300],
    ['kohls', "Kohl's", 84, 25, 500],
  ],
  Electronics: [
    ['best_buy', 'Best Buy', 90, 25, 1000, 'popular'],
    ['dell', 'Dell', 84, 50, 500],
    ['hp', 'HP', 83, 50, 500],
  ],
  Fashion: [
    ['nike', 'Nike', 88, 25, 500],
    ['adidas', 'Adidas', 86, 25, 500],
    ['nordstrom', 'Nordstrom', 87, 50, 500],
    ['macys', "Macy's", 85, 25, 500],
    ['gap', 'Gap', 83, 25, 300],
    ['old_navy', 'Old Navy', 83, 25, 300],
    ['forever_21', 'Forever 21', 81, 25, 200],
    ['hm', 'H&M', 84, 25, 300],
    ['zara', 'Zara', 85, 25, 300],
    ['uniqlo', 'Uniqlo', 84, 25, 300],
    ['lululemon', 'Lululemon', 88, 50, 500],
    ['alo', 'Alo Yoga', 85, 50, 500],
    ['belk', 'Belk', 81, 25, 300],
    ['bloomingdales', "Bloomingdale's", 85, 50, 500],
  ],
  'Food & Drink': [['starbucks', 'Starbucks', 89, 100, 2000, 'popular']],
  Entertainment: [
    ['itunes', 'Apple iTunes', 91, 25, 2000, 'popular'],
    ['google_play', 'Google Play', 90, 25, 500, 'popular'],
    ['netflix', 'Netflix', 87, 25, 200],
    ['hulu', 'Hulu', 85, 25, 200],
    ['disney', 'Disney', 88, 25, 500],
    ['hbo_max', 'HBO Max', 84, 25, 200],
    ['spotify', 'Spotify', 86, 25, 200],
    ['youtube_premium', 'YouTube Premium', 84, 25, 200],
  ],
  Gaming: [
    ['steam', 'Steam', 88, 25, 500, 'popular'],
    ['playstation', 'PlayStation', 85, 25, 500, 'popular'],
    ['xbox', 'Xbox', 86, 25, 500],
    ['nintendo_eshop', 'Nintendo eShop', 86, 25, 300],
    ['roblox', 'Roblox', 84, 25, 200],
    ['epic_games', 'Epic Games', 83, 25, 200],
    ['gamestop', 'GameStop', 85, 25, 500],
  ],
  Beauty: [
    ['sephora', 'Sephora', 88, 25, 500],
    ['ulta', 'Ulta Beauty', 86, 25, 500],
    ['victorias_secret', "Victoria's Secret", 84, 25, 300],
    ['bath_body_works', 'Bath & Body Works', 84, 25, 300],
  ],
  Home: [
    ['home_depot', 'The Home Depot', 91, 50, 2000],
    ['lowes', "Lowe's", 90, 50, 2000],
    ['williams_sonoma', 'Williams Sonoma', 85, 50, 500],
    ['pottery_barn', 'Pottery Barn', 85, 50, 500],
    ['west_elm', 'West Elm', 84, 50, 500],
    ['restoration_hardware', 'Restoration Hardware', 82, 100, 500],
    ['crate_barrel', 'Crate & Barrel', 84, 50, 500],
    ['bed_bath_beyond', 'Bed Bath & Beyond', 81, 25, 300],
  ],
  'Gift Cards': [
    ['visa', 'Visa Gift Card', 91, 100, 2000],
    ['mastercard', 'Mastercard Gift Card', 91, 200, 2000],
    ['onevanilla', 'OneVanilla', 89, 100, 500],
    ['american_express', 'American Express Gift Card', 90, 100, 500],
  ],
  Transportation: [
    ['uber', 'Uber', 88, 25, 500],
    ['lyft', 'Lyft', 86, 25, 300],
  ],
  Travel: [
    ['airbnb', 'Airbnb', 89, 50, 1000],
    ['hotels_com', 'Hotels.com', 87, 50, 500],
  ],
  Grocery: [
    ['kroger', 'Kroger', 87, 50, 500],
    ['safeway', 'Safeway', 86, 50, 500],
  ],
  Pharmacy: [
    ['cvs', 'CVS Pharmacy', 86, 25, 500],
    ['walgreens', 'Walgreens', 85, 25, 500],
  ],
  Software: [
    ['microsoft', 'Microsoft', 87, 25, 500],
    ['adobe', 'Adobe', 84, 25, 300],
  ],
}

function toBrand(category: Category, [value, name, rate, minimum, maximum, popular]: Row): Brand {
  return {
    value,
    name,
    category,
    rate: rate * 100,
    minimum: minimum * 100,
    maximum: maximum * 100,
    popular: popular === 'popular',
  }
}

/** The 67 brands of the spec. Where it gives only ranges, the numbers are chosen within them. */
export const brands: readonly Brand[] = categories.flatMap((category) =>
  catalog[category].map((row) => toBrand(category, row)),
)

/** What people type instead of the name, by slug, for the search. A name that contains the text needs no alias. */
export const brandAliases: Readonly<Record<string, readonly string[]>> = {
  amazon: ['amzn', 'amz', 'prime'],
  american_express: ['amex'],
  bath_body_works: ['bbw'],
  bed_bath_beyond: ['bbb'],
  best_buy: ['bby', 'geek squad'],
  disney: ['disney plus'],
  epic_games: ['fortnite', 'v-bucks', 'vbucks'],
  google_play: ['android', 'play store'],
  home_depot: ['thd'],
  itunes: ['app store', 'apple store', 'icloud'],
  jcpenney: ['penneys'],
  nintendo_eshop: ['nintendo switch'],
  playstation: ['psn', 'ps4', 'ps5', 'sony'],
  restoration_hardware: ['rh'],
  roblox: ['robux'],
  starbucks: ['sbux'],
  steam: ['valve'],
  victorias_secret: ['pink'],
  visa: ['vanilla visa'],
  xbox: ['game pass', 'gamepass'],
  youtube_premium: ['yt premium', 'yt'],
}

/** Words that sellers add to a brand: "Visa gift card", "the_home_depot", "amazon.com". */
const NOISE = new Set(
  'the and gift gifts card cards voucher vouchers certificate certificates prepaid debit reward rewards digital physical code com us usa'.split(
    ' ',
  ),
)
/** The same words written together: "visagiftcard", "egift". */
const NOISE_AT_END = /(e?gift)?(cards?|vouchers?|certificates?|codes?)$|e?gifts?$|com$/

/** Slugs that end in such a word keep it: "mastercard". */
const SLUGS = new Set(brands.map(({ value }) => value))

/** The same key for all spellings of a brand: the letters and digits of its distinctive words. */
export function brandKey(text: string): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/(?<=[a-z0-9])\+(?![a-z0-9])/g, ' plus')
    .replace(/[\p{M}'’]/gu, '')
    .replace(/(?<![a-z0-9])e(?=[^a-z0-9]*(gift|card|voucher))/g, '')
    .split(/[^a-z0-9]+/)
  const all = words.join('')
  const joined = words.filter((word) => !NOISE.has(word)).join('')
  const own = [all, joined, all.replace(NOISE_AT_END, '')].find((spelling) => SLUGS.has(spelling))
  return own ?? (joined.replace(NOISE_AT_END, '') || joined || all)
}

/** The brand of the catalog with this slug or name, in any spelling. */
export function listedBrand(slugOrName: string, catalog: readonly Brand[]): Brand | undefined {
  const exact = catalog.find(({ value }) => value === slugOrName)
  if (exact) return exact
  const key = brandKey(slugOrName)
  return key
    ? catalog.find(({ value, name }) => brandKey(value) === key || brandKey(name) === key)
    : undefined
}

/** A valid brand slug, listed or not. */
export const BRAND_SLUG = /^[a-z0-9][a-z0-9_]{0,49}$/

/** The terms for a brand that is not in the catalog: 85 %, $10 to $500. */
export function unlistedBrand(value: string): Brand {
  const name = value
    .split('_')
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ')
  return { value, name, category: 'Gift Cards', rate: 8_500, minimum: 1_000, maximum: 50_000, popular: false }
}
