import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { brands, monogram } from '#domain/brands.ts'
import { HUES, hueOf } from './BrandTile.tsx'

const apart = (one: string, other: string) => {
  const steps = Math.abs(hueOf(one) - hueOf(other))
  return Math.min(steps, HUES - steps)
}

const namesakes = [...Map.groupBy(brands, ({ name }) => monogram(name)).values()].filter(
  ({ length }) => length > 1,
)

test('there are brands with the same letters', () => {
  expect(namesakes.flat().map(({ value }) => value)).toEqual(expect.arrayContaining(['steam', 'starbucks']))
})

test.each(namesakes)('$name differs in hue from the brands with its letters', (...sharing) => {
  for (const { name } of sharing) {
    for (const other of sharing) if (other.name !== name) expect(apart(name, other.name)).toBeGreaterThan(1)
  }
})

/** The relative luminance of an oklch color, as WCAG 2 defines it. */
function luminance(lightness: number, chroma: number, hue: number): number {
  const [a, b] = [Math.cos((hue * Math.PI) / 180) * chroma, Math.sin((hue * Math.PI) / 180) * chroma]
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const red = 4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s
  const green = -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s
  const blue = -0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

const tokens = readFileSync(new URL('../kit/tokens.css', import.meta.url), 'utf8')
const hues = [...tokens.matchAll(/\[data-hue="\d"\] {\s*--hue: (\d+)/g)].map(([, hue]) => Number(hue))
const themes = [...tokens.matchAll(/oklch\(([\d.]+) ([\d.]+) var\(--hue\)\)/g)].map(
  ([, lightness, chroma]) => [Number(lightness), Number(chroma)] as const,
)

test.each([
  ['light', themes.slice(0, 2)],
  ['dark', themes.slice(2)],
] as const)('letters have enough contrast on their tile, %s', (_, [tile = [0, 0], letters = [0, 0]]) => {
  expect(hues).toHaveLength(HUES)
  for (const hue of hues) {
    const [dark = 0, bright = 0] = [luminance(...tile, hue), luminance(...letters, hue)].sort((a, b) => a - b)
    expect((bright + 0.05) / (dark + 0.05), `${hue}`).toBeGreaterThanOrEqual(4.5)
  }
})
