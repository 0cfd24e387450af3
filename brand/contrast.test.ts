import { expect, it } from 'vitest'
import { contrast, parseColor, toHex } from './contrast.ts'

const between = (front: string, back: string) => contrast(parseColor(front)!, parseColor(back)!)

// The figures of https://webaim.org/resources/contrastchecker.
it.each([
  ['#000', '#fff', 21],
  ['#fff', '#000', 21],
  ['#777777', '#ffffff', 4.48],
  ['#0000ff', '#ffffff', 8.59],
  ['rgb(0 128 0)', '#ffffff', 5.14],
])('the contrast of %s on %s is %d', (front, back, ratio) => {
  expect(between(front, back)).toBeCloseTo(ratio, 1)
})

it('reads oklch as browsers do', () => {
  expect(toHex(parseColor('oklch(0.628 0.2577 29.23)')!)).toBe('#ff0000')
  expect(toHex(parseColor('oklch(0.452 0.3132 264.05)')!)).toBe('#0000ff')
})

it('puts a transparent color on its background', () => {
  expect(between('rgb(0 0 0 / 0.5)', '#ffffff')).toBeCloseTo(between('#808080', '#ffffff'), 1)
})

it.each(['red', '#12', 'rgb(1, 2, 3)', 'var(--ink)', 'oklch(1 2)', ''])('does not read %s', (text) => {
  expect(parseColor(text)).toBeUndefined()
})
