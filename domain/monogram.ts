/** For brands that would share their letters with another one. A test checks that no two brands of the catalog do. */
const monograms = new Map([
  ['Adobe', 'AB'],
  ['Airbnb', 'AR'],
  ['Bath & Body Works', 'BW'],
  ['Bed Bath & Beyond', 'BY'],
  ['HBO Max', 'HB'],
  ['Netflix', 'NF'],
  ['Starbucks', 'SB'],
  ['Ulta Beauty', 'UL'],
  ['Walgreens', 'WG'],
])

/** Two letters for a brand's tile, as we show no logos. "PlayStation" counts as two words. */
export function monogram(name: string): string {
  const known = monograms.get(name)
  if (known) return known
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .split(' ')
    .filter((word) => word && word !== 'The')
  const [first = '', second = ''] = words
  return (second ? first.charAt(0) + second.charAt(0) : first.slice(0, 2)).toUpperCase()
}
