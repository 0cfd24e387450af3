import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contrast, parseColor } from '#brand/contrast.ts'
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

const tokens = readFileSync(new URL('../kit/hues.css', import.meta.url), 'utf8')
const hues = [...tokens.matchAll(/\[data-hue="\d"\] {\s*--hue: (\d+)/g)].map(([, hue = '']) => hue)
const themes = tokens.match(/oklch\(.*var\(--hue\)\)/g) ?? []

test.each([
  ['light', themes.slice(0, 2)],
  ['dark', themes.slice(2)],
] as const)('letters have enough contrast on their tile, %s', (_, [tile = '', letters = '']) => {
  expect(hues).toHaveLength(HUES)
  for (const hue of hues) {
    const [back, front] = [tile, letters].map((color) => parseColor(color.replace('var(--hue)', hue)))
    expect(contrast(front!, back!), hue).toBeGreaterThanOrEqual(4.5)
  }
})
