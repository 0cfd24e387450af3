/**
 * Whether two names can be those of one person. Ignores order, case, accents, titles and middle names, and accepts
 * initials. At least one name must match in full.
 */
export function namesAgree(one: string, other: string): boolean {
  const [a, b] = [namesIn(one), namesIn(other)]
  if (a.length === 0 || b.length === 0) return false
  // "de la Cruz" and "Delacruz", "sallyseller" and "Sally Seller".
  if (a.join('') === b.join('')) return true
  const [few, many] = a.length <= b.length ? [a, b] : [b, a]
  return few.length > 1 && matches(few, many)
}

/** Whether each name in `few` pairs with a different name in `many`, in full or by its initial. */
function matches(few: readonly string[], many: readonly string[]): boolean {
  const left = [...many]
  const take = (found: number) => found >= 0 && left.splice(found, 1).length > 0
  const unmatched = few.filter((name) => name.length === 1 || !take(left.indexOf(name)))
  if (unmatched.length === few.length) return false
  return unmatched.every((name) => take(left.findIndex((candidate) => isInitial(name, candidate))))
}

function isInitial(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  return short.length === 1 && long.startsWith(short)
}

const TITLES = new Set(['mr', 'mrs', 'ms', 'miss', 'dr', 'prof', 'jr', 'sr', 'ii', 'iii', 'iv'])

/** Letters that Unicode does not decompose, and the two spellings of umlauts. */
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/[ßẞ]/g, 'ss'],
  [/[øœ]|[oö]e/g, 'o'],
  [/æ|ae/g, 'a'],
  [/ue/g, 'u'],
  [/ł/g, 'l'],
  [/[đð]/g, 'd'],
  [/ı/g, 'i'],
]

function namesIn(text: string): string[] {
  const plain = text
    .normalize('NFKD')
    .replace(/[\p{M}'’.]/gu, (mark) => (mark === '.' ? ' ' : ''))
    .toLowerCase()
  const folded = SPELLINGS.reduce((folding, [letters, plainly]) => folding.replace(letters, plainly), plain)
  return folded.split(/[^\p{L}]+/u).filter((name) => name && !TITLES.has(name))
}
