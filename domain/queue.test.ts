import { expect, it } from 'vitest'
import { viewRules, views, waitsForStaff } from './queue.ts'
import { statuses } from './submission.ts'

it.each(statuses)('shows %s in one view besides all', (status) => {
  const shownIn = views.filter((view) => view !== 'all' && viewRules[view].statuses.includes(status))
  expect(shownIn).toHaveLength(1)
})

it('knows which submissions wait for staff', () => {
  expect(statuses.filter(waitsForStaff)).toEqual(['pending', 'processing'])
})
