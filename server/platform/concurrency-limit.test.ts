import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ConcurrencyLimit, QueueFull } from './concurrency-limit.ts'

it('limits how many tasks run and wait, and rejects the rest at once', async () => {
  const limit = new ConcurrencyLimit({ concurrency: 2, maxWaiting: 2 })
  const begun: number[] = []
  const ends: (() => void)[] = []
  const work = (number: number) =>
    limit.run(async () => {
      begun.push(number)
      await new Promise<void>((resolve) => ends.push(resolve))
      return number
    })
  const accepted = [1, 2, 3, 4].map(work)
  await expect(work(5)).rejects.toThrow(QueueFull)
  expect(begun).toEqual([1, 2])

  ends.shift()?.()
  await accepted[0]
  await turn()
  expect(begun).toEqual([1, 2, 3])
  // There is room in the queue again.
  accepted.push(work(6))
  for (let ended = 0; ended < 4; ended++) {
    ends.shift()?.()
    await turn()
  }
  expect(await Promise.all(accepted)).toEqual([1, 2, 3, 4, 6])
  expect(begun).toEqual([1, 2, 3, 4, 6])
})

it('runs the next task after one fails', async () => {
  const limit = new ConcurrencyLimit({ concurrency: 1, maxWaiting: 1 })
  const failing = limit.run(() => Promise.reject(new Error('no')))
  const next = limit.run(async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})

it('alternates between owners and rejects the newest task of the owner with the most waiting', async () => {
  const limit = new ConcurrencyLimit({ concurrency: 1, maxWaiting: 3 })
  const done: string[] = []
  const begin = Promise.withResolvers<void>()
  const running = limit.run(() => begin.promise)
  const work = (name: string, owner: string) =>
    limit.run(async () => void done.push(name), owner).catch(() => void done.push(`no ${name}`))
  const all = [work('a1', 'a'), work('a2', 'a'), work('a3', 'a'), work('b1', 'b')]
  begin.resolve()
  await Promise.all([running, ...all])
  expect(done).toEqual(['no a3', 'a1', 'b1', 'a2'])
})
