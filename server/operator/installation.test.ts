import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { announcePhotos } from '#server/platform/photos/intents.ts'
import { openStorage } from '#server/platform/photos/open-storage.ts'
import { newPhotoName, type PhotoStorage } from '#server/platform/photos/storage.ts'
import { createTestApp } from '#test/app.ts'
import { createTestDatabase, type TestDatabase } from '#test/database.ts'
import { submitted } from '#test/submissions.ts'
import { bindStore } from './installation.ts'

let folder: string
let photos: PhotoStorage
let database: TestDatabase
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unspent-store-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  photos = await openStorage({ kind: 'file', folder })
  database = await createTestDatabase()
})

const claim = (takeOver?: true, store = folder) =>
  bindStore(database.db, { photos, store, ...(takeOver && { takeOver }) })
const loseTheMark = () => rm(join(folder, 'installation'))
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
  'refuses a store with the mark %j until an operator takes it over',
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

describe('a store that lacks the mark', () => {
  const refusal =
    /^STORAGE_URL: the photo store \S+ lacks the mark of this installation[^\n]+npm run admin -- take-over-store$/

  it('is refused if it had the mark before: its disk may not be mounted', async () => {
    await claim()
    await loseTheMark()
    await expect(claim()).rejects.toThrow(refusal)
    expect(await photos.readMark()).toBeUndefined()
    await claim(true)
    await claim()
  })

  it('is refused as a new store if the installation has photos, which are elsewhere', async () => {
    const server = await createTestApp({ photos })
    database = server
    await claim()
    await loseTheMark()
    await claim(undefined, 's3://new/')
    await loseTheMark()
    await submitted(await server.seller())
    await expect(claim(undefined, 's3://newer/')).rejects.toThrow(refusal)
    await claim(true, 's3://newer/')
    const { rows } = await database.pool.query('SELECT store FROM installation')
    expect(rows).toEqual([{ store: 's3://newer/' }])
  })
})

it('takes over a store with an entry in the audit log', async () => {
  await photos.writeMark('another')
  await claim(true)
  await claim(true)
  const { rows } = await database.pool.query(
    'SELECT actor_kind, action, subject_kind, subject_id, details FROM audit_log',
  )
  expect(rows).toEqual([
    {
      actor_kind: 'system',
      action: 'store.taken_over',
      subject_kind: 'store',
      subject_id: folder,
      details: { by: 'command line' },
    },
  ])
})

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
