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

async function unclaimed(count: number): Promise<string[]> {
  const names = Array.from({ length: count }, newPhotoName).sort()
  await announcePhotos(server.db, names)
  for (const name of names) await photos.put(name, Buffer.from('sealed'))
  return names
}

const present = async (names: readonly string[]) => {
  const found = await Promise.all(names.map((name) => photos.get(name)))
  return names.filter((_, at) => found[at])
}
const announced = async () =>
  (await server.pool.query('SELECT name FROM photo_intents ORDER BY name')).rows.map(({ name }) => name)

describe('the collection', () => {
  it('removes what was announced before its bound, also when two servers do so at once', async () => {
    const names = await unclaimed(80)
    expect(await collect({ before: new Date(Date.now() - 3_600_000) })).toBe(0)
    expect(await present(names)).toEqual(names)
    await Promise.all([collect(), collect()])
    expect(await present(names)).toEqual([])
    expect(await announced()).toEqual([])
  })

  it('leaves a photo alone that is being claimed, whose row is then committed', async () => {
    const names = await unclaimed(2)
    await transaction(server.db, async (tx) => {
      await confirmPhotos(tx, names)
      expect(await collect()).toBe(0)
    })
    expect(await present(names)).toEqual(names)
    expect(await announced()).toEqual([])
  })

  it('wins over a claim that comes too late', async () => {
    const names = await unclaimed(2)
    await abandonPhotos(server.db, names.slice(1))
    const claiming = transaction(server.db, (tx) => confirmPhotos(tx, names))
    await expect(claiming).rejects.toThrow(PhotoStorageUnavailable)
    await collect()
    expect(await present(names)).toEqual([])
  })

  it('goes on behind a file that does not go, and tries it again the next time', async () => {
    const names = await unclaimed(70)
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

  it('goes on behind many files that do not go, and tries them again the next time', async () => {
    const names = await unclaimed(70)
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

  it('ends when the store is down, and keeps what it knows', async () => {
    const names = await unclaimed(40)
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

  it('stops after the current photos when asked to', async () => {
    await unclaimed(70)
    const ended = new AbortController()
    const storage = new FolderStorage(join(server.folder, 'uploads'))
    const remove = storage.remove.bind(storage)
    storage.remove = async (name) => {
      await remove(name)
      ended.abort()
    }
    expect(await collect({ photos: storage, signal: ended.signal })).toBeLessThan(70)
    expect(await announced()).not.toEqual([])
  })
})

describe('a submission', () => {
  it('is refused as a whole when its photos were collected before it was committed', async () => {
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

  it('that was committed keeps its photos, though its server never heard of that', async () => {
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
