import { expect, it } from 'vitest'
import { Ending } from './ending.ts'

it('ends in the opposite order, once, and goes on after what fails', async () => {
  const ended: string[] = []
  const ending = new Ending()
  ending.add(async () => ended.push('the database'))
  ending.add(() => {
    throw new Error('the pool does not close')
  })
  ending.add(async () => {
    ended.push('the jobs')
    throw new Error('a job hangs')
  })
  ending.add(() => undefined)

  await expect(ending.run()).rejects.toThrow('a job hangs')
  expect(ended).toEqual(['the jobs', 'the database'])
  await ending.run()
  expect(ended).toHaveLength(2)
})
