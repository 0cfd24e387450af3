import { BRAND_SLUG, type Brand, brandAliases } from './brands.ts'

/**
 * The brands that match a search: names that contain it, aliases that equal it ("amzn" finds Amazon), or otherwise categories that
 * begin with it, or names that it misspells ("amzon"). Ignores case, accents, punctuation, spaces and "and".
 * @param categoryOf the category that is shown beside a brand
 */
export function findBrands(
  brands: readonly Brand[],
  search: string,
  categoryOf: (brand: Brand) => string,
): readonly Brand[] {
  const wanted = joined(search)
  const found = brands.filter(
    ({ name, value }) =>
      joined(name).includes(wanted) || brandAliases[value]?.some((alias) => joined(alias) === wanted),
  )
  if (found.length > 0) return found
  const inCategory = brands.filter((brand) => joined(categoryOf(brand)).startsWith(wanted))
  if (inCategory.length > 0) return inCategory
  const tolerance = toleranceOf(wanted)
  return tolerance === 0 ? [] : brands.filter(({ name }) => misspellings(wanted, name) <= tolerance)
}

/** The slug under which a card of an unlisted brand is sold; undefined if the search is not a name. */
export function slugOf(search: string): string | undefined {
  const slug = plain(search)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .slice(0, 50)
  return slug.length > 1 && BRAND_SLUG.test(slug) ? slug : undefined
}

const plain = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}'’]/gu, '')

const joined = (text: string): string => plain(text).replace(/\band\b|[^a-z0-9]/g, '')

/** Short words resemble each other too much. */
function toleranceOf({ length }: { length: number }): number {
  if (length < 4) return 0
  return length < 8 ? 1 : 2
}

/** The fewest misspellings that make the typed text the beginning of one of the words of a name. */
function misspellings(typed: string, name: string): number {
  const words = plain(name).split(/[^a-z0-9]+/)
  return Math.min(...words.map((_, index) => distanceToStart(typed, words.slice(index).join(''))))
}

/**
 * The fewest letters to add, remove, replace or swap with the next one until the typed text begins the word.
 * Source: https://en.wikipedia.org/wiki/Damerau–Levenshtein_distance
 */
function distanceToStart(typed: string, word: string): number {
  let before: number[] = []
  let row = Array.from({ length: word.length + 1 }, (_, column) => column)
  for (const [index, letter] of [...typed].entries()) {
    const next = [index + 1]
    for (let column = 1; column <= word.length; column += 1) {
      const isSame = letter === word[column - 1]
      const isSwapped = letter === word[column - 2] && typed[index - 1] === word[column - 1]
      next[column] = Math.min(
        (row[column] ?? 0) + 1,
        (next[column - 1] ?? 0) + 1,
        (row[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? Number.POSITIVE_INFINITY) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    before = row
    row = next
  }
  return Math.min(...row)
}
