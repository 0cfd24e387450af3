import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Gate, GateFull } from './concurrency-limit.ts'

it('lets so many run, lets so many wait in their order, and turns the rest away at once', async () => {
  const gate = new Gate({ atOnce: 2, waiting: 2 })
  const begun: number[] = []
  const ends: (() => void)[] = []
  const work = (number: number) =>
    gate.run(async () => {
      begun.push(number)
      await new Promise<void>((resolve) => ends.push(resolve))
      return number
    })
  const accepted = [1, 2, 3, 4].map(work)
  await expect(work(5)).rejects.toThrow(GateFull)
  expect(begun).toEqual([1, 2])

  ends.shift()?.()
  await accepted[0]
  await turn()
  expect(begun).toEqual([1, 2, 3])
  // A place among those who wait is free again.
  accepted.push(work(6))
  for (let ended = 0; ended < 4; ended++) {
    ends.shift()?.()
    await turn()
  }
  expect(await Promise.all(accepted)).toEqual([1, 2, 3, 4, 6])
  expect(begun).toEqual([1, 2, 3, 4, 6])
})

it('hands the place of work that failed on', async () => {
  const gate = new Gate({ atOnce: 1, waiting: 1 })
  const failing = gate.run(() => Promise.reject(new Error('no')))
  const next = gate.run(async () => 'done')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})

it('lets owners take turns, and refuses the newest work of the owner who has the most waiting', async () => {
  const gate = new Gate({ atOnce: 1, waiting: 3 })
  const done: string[] = []
  const begin = Promise.withResolvers<void>()
  const running = gate.run(() => begin.promise)
  const work = (name: string, owner: string) =>
    gate.run(async () => void done.push(name), owner).catch(() => void done.push(`no ${name}`))
  const all = [work('a1', 'a'), work('a2', 'a'), work('a3', 'a'), work('b1', 'b')]
  begin.resolve()
  await Promise.all([running, ...all])
  expect(done).toEqual(['no a3', 'a1', 'b1', 'a2'])
})
