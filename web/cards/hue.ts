/** As many as tokens.css has, once around the circle. */
export const HUES = 10

/** Under this factor brands with the same letters get hues that are well apart, which a test holds. */
const FACTOR = 44

/** A brand always gets the same hue. @returns its place on the circle, from 0 to 9 */
export function hueOf(brandName: string): number {
  let sum = 0
  for (const character of brandName) sum = (sum * FACTOR + (character.codePointAt(0) ?? 0)) % 9973
  return sum % HUES
}
