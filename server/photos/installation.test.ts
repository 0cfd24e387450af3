import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { claimStore } from './installation.ts'
import { announcePhotos } from './intents.ts'
import { newPhotoName } from './photo-name.ts'
import { openStorage, type PhotoStorage } from './storage.ts'

let folder: string
let photos: PhotoStorage
let database: TestDatabase
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unspent-store-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  photos = await openStorage({ kind: 'file', folder })
  database = await createTestDatabase()
})

const claim = (takeOver?: true) =>
  claimStore(database.db, { photos, store: folder, ...(takeOver && { takeOver }) })
const intents = async () => (await database.pool.query('SELECT name FROM photo_intents')).rows.length

it('marks a store without a mark, once for all servers of a database', async () => {
  await Promise.all([claim(), claim()])
  const mark = await readFile(join(folder, 'installation'), 'utf8')
  expect(mark).toMatch(/^[0-9a-f-]{36}\n$/)
  await claim()
  expect(await readFile(join(folder, 'installation'), 'utf8')).toBe(mark)
  const { rows } = await database.pool.query('SELECT id, store FROM installation')
  expect(rows).toEqual([{ id: mark.trim(), store: folder }])
})

it.each([randomUUID(), ''])(
  'refuses a store with the mark %j, until it is told to take it over',
  async (mark) => {
    await photos.writeMark(mark)
    await expect(claim()).rejects.toThrow(
      /^STORAGE_URL: the photo store \S+ belongs to another installation[^\n]+npm run admin -- take-over-store$/,
    )
    expect(await photos.readMark()).toBe(mark)
    await claim(true)
    await claim()
    expect(await photos.readMark()).not.toBe(mark)
  },
)

it('takes a copy of a database for another installation, which removes nothing that the first one stored', async () => {
  await claim()
  await announcePhotos(database.db, [newPhotoName()])
  await claim()
  expect(await intents()).toBe(1)
  // What a dump that is restored elsewhere looks like.
  await database.pool.query("UPDATE installation SET database = '7/7'")
  await expect(claim()).rejects.toThrow('belongs to another installation')
  expect(await intents()).toBe(0)
})
