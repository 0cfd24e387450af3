import { expect, it } from 'vitest'
import { viewRules, views, waitsForStaff } from './queue.ts'
import { statuses } from './submission.ts'

it.each(statuses)('shows %s in one view besides all', (status) => {
  const shownIn = views.filter((view) => view !== 'all' && viewRules[view].statuses.includes(status))
  // A failed one belongs to one of them by its reason.
  expect(shownIn).toEqual(status === 'failed' ? ['waiting', 'done'] : [expect.any(String)])
})

it('knows which submissions wait for staff', () => {
  expect(statuses.filter(waitsForStaff)).toEqual(['pending', 'processing'])
})
