import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { storePhotos } from '#server/features/submissions/photos.ts'
import { bucketAt } from '#server/platform/config/config-values.ts'
import { newDataKey } from '#server/platform/vault/seal.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { createTestDatabase } from '#test/database.ts'
import type { Person } from '#test/person.ts'
import { startStore, type TestStore } from '#test/s3-store.ts'
import { submit, submitted } from '#test/submissions.ts'
import { PhotoStorageUnavailable } from './errors.ts'
import { collectPhotos } from './intents.ts'
import { openStorage } from './open-storage.ts'
import { newPhotoName, type PhotoStorage } from './storage.ts'

let store: TestStore
let storage: PhotoStorage
beforeAll(async () => {
  store = await startStore()
  storage = await openBucket(store.url)
})
afterAll(() => store.stop())
beforeEach(() => {
  store.fault = 'none'
})

async function openBucket(url: string): Promise<PhotoStorage> {
  const setting = bucketAt(url)
  if (!setting) throw new Error('Not the address of a bucket')
  return await openStorage(setting)
}

const namesStored = async () => (await store.keys()).map((key) => key.replace('sealed/', '')).sort()

describe('photos in a bucket', () => {
  it('are returned unchanged until they are removed', async () => {
    const [name, other] = [newPhotoName(), newPhotoName()]
    // More than one chunk of 64 kB, and not a round number.
    const bytes = randomBytes(300_007)
    expect(await storage.get(name)).toBeUndefined()
    await storage.put(name, bytes)
    await storage.put(other, Buffer.from('other'))
    expect((await storage.get(name))?.equals(bytes)).toBe(true)
    expect(await namesStored()).toEqual([name, other].sort())
    await storage.remove(name)
    await storage.remove(name)
    expect(await storage.get(name)).toBeUndefined()
    expect(await namesStored()).toEqual([other])
  })

  it('are replaced by a photo of the same name', async () => {
    const name = newPhotoName()
    await storage.put(name, Buffer.from('first'))
    await storage.put(name, Buffer.from('second'))
    expect(await storage.get(name)).toEqual(Buffer.from('second'))
  })

  it.each(['../../etc/passwd', '', 'a/b', 'a'.repeat(65)])('cannot be named %j', async (name) => {
    expect(await storage.get(name)).toBeUndefined()
    await expect(storage.put(name, Buffer.from('x'))).rejects.toThrow('Not the name of a photo')
    await storage.remove(name)
  })

  it.each(['down', 'failing', 'corrupting'] as const)(
    'are reported as unavailable while the store is %s',
    async (fault) => {
      store.fault = fault
      await expect(storage.put(newPhotoName(), Buffer.from('sealed'))).rejects.toThrow(
        PhotoStorageUnavailable,
      )
    },
  )

  it('fail the start if the bucket does not exist, with one line without the keys', async () => {
    const missing = store.url.replace('@photos', '@elsewhere').replace('S3RVER@', 'hunter2@')
    await expect(openBucket(missing)).rejects.toThrow(
      /^STORAGE_URL: the bucket "elsewhere" cannot be used\. [^\n]+$/,
    )
    await expect(openBucket(missing)).rejects.not.toThrow('hunter2')
  })
})

describe('a store that hangs or is slow', () => {
  const picture = { image: randomBytes(2_000), thumbnail: randomBytes(200), width: 1, height: 1, digest: '' }

  it.each(['hanging', 'slow'] as const)(
    'does not delay a submission beyond the limit for all photos (%s)',
    async (fault) => {
      const { db } = await createTestDatabase()
      const before = await namesStored()
      store.fault = fault
      // Each of the ten alone would meet the limit.
      const limits = { storeMs: 700, discardMs: 300 }
      const pictures = Array(10).fill(picture)
      await expect(
        storePhotos(
          { db, photos: storage },
          newDataKey(),
          { giftCardId: crypto.randomUUID() },
          pictures,
          limits,
        ),
      ).rejects.toThrow(PhotoStorageUnavailable)
      store.fault = 'none'
      // The collection removes what could not be removed right away.
      await collectPhotos({ db, photos: storage, before: new Date(Date.now() + 60_000) })
      expect(await namesStored()).toEqual(before)
    },
  )
})

describe('a submission', () => {
  let server: TestApp
  let seller: Person
  let staff: Person
  beforeAll(async () => {
    server = await createTestApp({ photos: storage })
    seller = await server.seller()
    staff = await server.staff()
  })

  it('stores its photos encrypted in the bucket and shows them to staff', async () => {
    const before = await namesStored()
    const id = await submitted(seller)
    const added = (await namesStored()).filter((name) => !before.includes(name))
    expect(added).toHaveLength(2)
    for (const name of added) expect((await storage.get(name))?.includes('JFIF')).toBe(false)
    const [path] = (await staff.get(`/api/admin/submissions/${id}`)).json.imageUrl
    const answer = await staff.get(path.replace('/uploads/', '/api/admin/view/'))
    expect(answer.headers['content-type']).toBe('image/jpeg')
  })

  it.each(['down', 'failing', 'corrupting'] as const)(
    'is rejected completely while the store is %s, and accepted with the same key afterwards',
    async (fault) => {
      const [files, key] = [await namesStored(), crypto.randomUUID()]
      const cards = (await seller.get('/api/user/gift-cards')).json.length
      store.fault = fault
      const refused = await submit(seller, {}, { key })
      expect(refused.status).toBe(503)
      expect(refused.json.code).toBe('busy')
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
      store.fault = 'none'
      expect((await seller.get('/api/user/gift-cards')).json).toHaveLength(cards)
      if (fault === 'corrupting') expect(await namesStored()).toEqual(files)
      expect((await submit(seller, {}, { key })).status).toBe(201)
    },
  )
})
