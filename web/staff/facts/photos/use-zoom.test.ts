import { expect, test } from 'vitest'
import { FITTED, keepOnStage, moveBy, zoomAt } from './use-zoom.ts'

test('keeps the point under the pointer in place', () => {
  const point = { x: 100, y: -40 }
  const before = zoomAt(FITTED, 2)
  const after = zoomAt(before, 1.5, point)
  const photoUnder = ({ scale, x, y }: typeof before) => [(point.x - x) / scale, (point.y - y) / scale]
  expect(photoUnder(after)).toEqual(photoUnder(before))
})

test('zooms between one and eight times the size of the stage', () => {
  expect(zoomAt(FITTED, 0.5)).toEqual(FITTED)
  expect(zoomAt(FITTED, 100).scale).toBe(8)
})

test('does not move a photo off its stage', () => {
  const stage = { width: 400, height: 200 }
  expect(keepOnStage(moveBy(FITTED, { x: 90, y: 90 }), stage)).toEqual(FITTED)
  expect(keepOnStage(moveBy(zoomAt(FITTED, 2), { x: 900, y: -900 }), stage)).toEqual({
    scale: 2,
    x: 200,
    y: -100,
  })
})
