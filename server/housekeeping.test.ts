import { utimes } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { Housekeeping } from '#server/housekeeping.ts'
import { createLog } from '#server/log.ts'
import { newPhotoName } from '#server/photos/photo-name.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { photoFiles, submitted } from '#test/submissions.ts'

const twoDaysAgo = new Date(Date.now() - 2 * 24 * 3600 * 1000)

async function agePhotos(server: TestApp): Promise<void> {
  for (const path of await photoFiles(server)) await utimes(path, twoDaysAgo, twoDaysAgo)
}

it('removes old photos that no submission has, expired sessions, and nothing else', async () => {
  const server = await createTestApp()
  const seller = await server.seller()
  await submitted(seller)
  const lost = newPhotoName()
  await server.context.photos.put(lost, Buffer.from('of a request that was cut off'))
  await agePhotos(server)
  const young = newPhotoName()
  await server.context.photos.put(young, Buffer.from('of a request that is still going on'))
  const gone = await server.seller()
  await server.pool.query("update sessions set expire = now() - interval '1 second' where user_id = $1", [
    gone.id,
  ])

  await new Housekeeping(server.context, { eraseAfterDays: 90 }).tidy()

  expect(await server.context.photos.get(lost)).toBeUndefined()
  expect(await server.context.photos.get(young)).toBeDefined()
  const [submission] = (await seller.get('/api/user/gift-cards')).json
  expect((await seller.get(submission.images[0])).status).toBe(200)
  const { rows } = await server.pool.query('select count(*)::int as count from sessions where user_id = $1', [
    gone.id,
  ])
  expect(rows).toEqual([{ count: 0 }])
})

it('does everything else while one thing fails, and says which', async () => {
  const server = await createTestApp()
  const lost = newPhotoName()
  await server.context.photos.put(lost, Buffer.from('of a request that was cut off'))
  await agePhotos(server)
  await server.pool.query('alter table sessions rename to sessions_away')
  const said: object[] = []
  const log = createLog('warn', { write: (line) => void said.push(JSON.parse(line)) })
  await new Housekeeping({ ...server.context, log }, { eraseAfterDays: 90 }).tidy()
  expect(said).toMatchObject([{ step: 'sessions', err: { code: '42P01' } }])
  expect(await server.context.photos.get(lost)).toBeUndefined()
})
