import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { contrast, parseColor } from '#brand/contrast.ts'
import { brands } from '#domain/brands.ts'
import { HUES, hueOf } from './BrandTile.tsx'

test('hues are spread over all brands', () => {
  const perHue = Map.groupBy(brands, ({ name }) => hueOf(name))
  expect(perHue.size).toBe(HUES)
  for (const sharing of perHue.values()) expect(sharing.length).toBeLessThan(brands.length / 5)
})

const tokens = readFileSync(new URL('../kit/hues.css', import.meta.url), 'utf8')
const hues = [...tokens.matchAll(/\[data-hue="\d"\] {\s*--hue: (\d+)/g)].map(([, hue = '']) => hue)
const colors = (name: string) =>
  [...tokens.matchAll(new RegExp(`--${name}: (oklch\\(.*\\))`, 'g'))].map(([, color = '']) => color)

test.each([
  ['light', 0],
  ['dark', 1],
])('letters have enough contrast on their tile and its block, %s', (_, theme) => {
  expect(hues).toHaveLength(HUES)
  for (const hue of hues) {
    const colorOf = (name: string) => parseColor(colors(name)[theme]!.replace('var(--hue)', hue))!
    for (const back of ['tile', 'block'])
      expect(contrast(colorOf('letters'), colorOf(back)), `${back} ${hue}`).toBeGreaterThanOrEqual(4.5)
  }
})
