import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { discardPhotos } from '#server/features/submissions/photos.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { createTestApp, type TestApp } from '#test/app.ts'
import { submit } from '#test/submissions.ts'
import { PhotoStorageUnavailable } from './errors.ts'
import { FolderStorage } from './folder-storage.ts'
import { abandonPhotos, announcePhotos, collectPhotos, confirmPhotos } from './intents.ts'
import { newPhotoName, type PhotoStorage } from './storage.ts'

let server: TestApp
let photos: PhotoStorage
beforeAll(async () => {
  server = await createTestApp()
  photos = server.context.photos
})
beforeEach(() => server.pool.query('DELETE FROM photo_intents'))

const inAnHour = () => new Date(Date.now() + 3_600_000)
const collect = (more: object = {}) => collectPhotos({ db: server.db, photos, before: inAnHour(), ...more })

async function announcedPhotos(count: number): Promise<string[]> {
  const names = Array.from({ length: count }, newPhotoName).sort()
  await announcePhotos(server.db, names)
  for (const name of names) await photos.put(name, Buffer.from('sealed'))
  return names
}

const present = async (names: readonly string[]) => {
  const found = await Promise.all(names.map((name) => photos.get(name)))
  return names.filter((_, index) => found[index])
}
const announced = async () =>
  (await server.pool.query('SELECT name FROM photo_intents ORDER BY name')).rows.map(({ name }) => name)

describe('collecting', () => {
  it('removes photos announced before a date, even if two servers do so at once', async () => {
    const names = await announcedPhotos(80)
    expect(await collect({ before: new Date(Date.now() - 3_600_000) })).toBe(0)
    expect(await present(names)).toEqual(names)
    await Promise.all([collect(), collect()])
    expect(await present(names)).toEqual([])
    expect(await announced()).toEqual([])
  })

  it('skips photos that a transaction is confirming', async () => {
    const names = await announcedPhotos(2)
    await transaction(server.db, async (tx) => {
      await confirmPhotos(tx, names)
      expect(await collect()).toBe(0)
    })
    expect(await present(names)).toEqual(names)
    expect(await announced()).toEqual([])
  })

  it('prevents a late confirmation', async () => {
    const names = await announcedPhotos(2)
    await abandonPhotos(server.db, names.slice(1))
    const confirming = transaction(server.db, (tx) => confirmPhotos(tx, names))
    await expect(confirming).rejects.toThrow(PhotoStorageUnavailable)
    await collect()
    expect(await present(names)).toEqual([])
  })

  it('skips a file that cannot be removed and retries it next time', async () => {
    const names = await announcedPhotos(70)
    const stuck = names[3] ?? ''
    const storage = new FolderStorage(join(server.folder, 'uploads'))
    const remove = storage.remove.bind(storage)
    storage.remove = async (name) => {
      if (name === stuck) throw new Error('EACCES')
      await remove(name)
    }
    expect(await collect({ photos: storage })).toBe(69)
    expect(await announced()).toEqual([stuck])
    expect(await collect()).toBe(1)
  })

  it('skips many files that cannot be removed and retries them next time', async () => {
    const names = await announcedPhotos(70)
    const stuck = names.slice(0, 64)
    const storage = new FolderStorage(join(server.folder, 'uploads'))
    const remove = storage.remove.bind(storage)
    storage.remove = async (name) => {
      if (stuck.includes(name)) throw new Error('EACCES')
      await remove(name)
    }
    expect(await collect({ photos: storage })).toBe(6)
    await expect(collect({ photos: storage })).rejects.toThrow('EACCES')
    expect(await announced()).toEqual(stuck)
    expect(await collect()).toBe(64)
  })

  it('stops if the store is down, and forgets no file', async () => {
    const names = await announcedPhotos(40)
    const storage = new FolderStorage(join(server.folder, 'uploads'))
    const asked: string[] = []
    storage.remove = async (name) => {
      asked.push(name)
      throw new PhotoStorageUnavailable('it is down')
    }
    storage.readMark = () => Promise.reject(new PhotoStorageUnavailable('it is down'))
    await expect(collect({ photos: storage })).rejects.toThrow('it is down')
    expect(asked.length).toBeLessThan(names.length)
    expect(await announced()).toEqual(names)
  })

  it('stops after the current batch when aborted', async () => {
    await announcedPhotos(70)
    const stopping = new AbortController()
    const storage = new FolderStorage(join(server.folder, 'uploads'))
    const remove = storage.remove.bind(storage)
    storage.remove = async (name) => {
      await remove(name)
      stopping.abort()
    }
    expect(await collect({ photos: storage, signal: stopping.signal })).toBeLessThan(70)
    expect(await announced()).not.toEqual([])
  })
})

describe('a submission', () => {
  it('is rejected completely if its photos were collected before it committed', async () => {
    const storage = new FolderStorage(join(server.folder, 'elsewhere'))
    const slow = await createTestApp({ photos: storage })
    const put = storage.put.bind(storage)
    storage.put = async (name, bytes) => {
      await put(name, bytes)
      await collectPhotos({ db: slow.db, photos: storage, before: inAnHour() })
    }
    const seller = await slow.seller()
    const answer = await submit(seller)
    expect([answer.status, answer.json.code]).toEqual([503, 'busy'])
    expect((await seller.get('/api/user/gift-cards')).json).toEqual([])
  })

  it('keeps its photos if it committed but its server did not learn so', async () => {
    const seller = await server.seller()
    await submit(seller)
    const files = await readdir(join(server.folder, 'uploads'), { recursive: true })
    const { rows } = await server.pool.query(
      'SELECT name, thumbnail_name AS "thumbnailName", gift_card_id AS "giftCardId", position, width, height FROM photos',
    )
    await discardPhotos(server.context, rows)
    expect(await readdir(join(server.folder, 'uploads'), { recursive: true })).toEqual(files)
  })
})
