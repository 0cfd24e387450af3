import { utimes } from 'node:fs/promises'
import { eq, sql } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { tidy } from '#server/housekeeping.ts'
import { photoIntents } from '#server/platform/database/schema.ts'
import { createLog } from '#server/platform/log.ts'
import { announcePhotos } from '#server/platform/photos/intents.ts'
import { newPhotoName } from '#server/platform/photos/storage.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { photoFiles, submitted } from '#test/submissions.ts'

/** Stores a photo as an interrupted submission did `hoursAgo` hours ago. */
async function unconfirmedPhoto({ context }: TestApp, hoursAgo: number): Promise<string> {
  const name = newPhotoName()
  await announcePhotos(context.db, [name])
  await context.photos.put(name, Buffer.from('sealed'))
  await context.db
    .update(photoIntents)
    .set({ startedAt: sql`now() - ${hoursAgo} * interval '1 hour'` })
    .where(eq(photoIntents.name, name))
  return name
}

it('removes only photos without a submission and expired sessions', async () => {
  const server = await createTestApp()
  const seller = await server.seller()
  await submitted(seller)
  const lost = await unconfirmedPhoto(server, 25)
  const young = await unconfirmedPhoto(server, 23)
  const foreign = newPhotoName()
  await server.context.photos.put(foreign, Buffer.from('of another installation'))
  const twoDaysAgo = new Date(Date.now() - 2 * 24 * 3600 * 1000)
  for (const path of await photoFiles(server)) await utimes(path, twoDaysAgo, twoDaysAgo)
  const gone = await server.seller()
  await server.pool.query("update sessions set expire = now() - interval '1 second' where user_id = $1", [
    gone.id,
  ])

  await tidy(server.context, { eraseAfterDays: 90 })

  expect(await server.context.photos.get(lost)).toBeUndefined()
  expect(await server.context.photos.get(young)).toBeDefined()
  expect(await server.context.photos.get(foreign)).toBeDefined()
  const [submission] = (await seller.get('/api/user/gift-cards')).json
  expect((await seller.get(submission.images[0])).status).toBe(200)
  const { rows } = await server.pool.query('select count(*)::int as count from sessions where user_id = $1', [
    gone.id,
  ])
  expect(rows).toEqual([{ count: 0 }])
})

it('logs a failing step and runs the others', async () => {
  const server = await createTestApp()
  const lost = await unconfirmedPhoto(server, 25)
  await server.pool.query('alter table sessions rename to sessions_away')
  const said: object[] = []
  const log = createLog('warn', { write: (line) => void said.push(JSON.parse(line)) })
  await tidy({ ...server.context, log }, { eraseAfterDays: 90 })
  expect(said).toMatchObject([{ step: 'sessions', err: { code: '42P01' } }])
  expect(await server.context.photos.get(lost)).toBeUndefined()
})
