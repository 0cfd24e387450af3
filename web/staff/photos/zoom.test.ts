import { expect, test } from 'vitest'
import { FITTED, keepOnStage, moveBy, zoomAt } from './zoom.ts'

test('what lies under the pointer stays there', () => {
  const point = { x: 100, y: -40 }
  const before = zoomAt(FITTED, 2)
  const after = zoomAt(before, 1.5, point)
  const photoUnder = ({ scale, x, y }: typeof before) => [(point.x - x) / scale, (point.y - y) / scale]
  expect(photoUnder(after)).toEqual(photoUnder(before))
})

test('a photo gets no smaller than its stage and no larger than eight times that', () => {
  expect(zoomAt(FITTED, 0.5)).toEqual(FITTED)
  expect(zoomAt(FITTED, 100).scale).toBe(8)
})

test('a photo is not pushed off its stage', () => {
  const stage = { width: 400, height: 200 }
  expect(keepOnStage(moveBy(FITTED, { x: 90, y: 90 }), stage)).toEqual(FITTED)
  expect(keepOnStage(moveBy(zoomAt(FITTED, 2), { x: 900, y: -900 }), stage)).toEqual({
    scale: 2,
    x: 200,
    y: -100,
  })
})
