import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it, vi } from 'vitest'
import { fetchAgain } from './read.ts'

it('fetches again when something changes before the first answer arrives', async () => {
  const client = new QueryClient()
  const answers = [Promise.withResolvers<string>(), Promise.withResolvers<string>()]
  let asked = 0
  const queryFn = vi.fn(() => answers[asked++]?.promise ?? 'one fetch too many')
  const observer = new QueryObserver<string>(client, { queryKey: ['messages'], queryFn })
  const end = observer.subscribe(() => undefined)

  const again = fetchAgain(client, { queryKey: ['messages'] })
  answers[0]?.resolve('written before')
  await expect.poll(() => observer.getCurrentResult().data).toBe('written before')
  answers[1]?.resolve('written after')
  await again
  expect(observer.getCurrentResult().data).toBe('written after')
  expect(queryFn).toHaveBeenCalledTimes(2)
  end()
})

it('does not wait for another query that gets no answer', async () => {
  const client = new QueryClient()
  const silent = new QueryObserver(client, { queryKey: ['list', 1], queryFn: () => new Promise(() => {}) })
  const first = Promise.withResolvers<string>()
  const queryFn = vi.fn().mockReturnValueOnce(first.promise).mockReturnValue('written after')
  const observer = new QueryObserver<string>(client, { queryKey: ['list', 2], queryFn })
  const ends = [silent.subscribe(() => undefined), observer.subscribe(() => undefined)]

  void fetchAgain(client, { queryKey: ['list'] })
  first.resolve('written before')
  await expect.poll(() => observer.getCurrentResult().data).toBe('written after')
  for (const end of ends) end()
})
