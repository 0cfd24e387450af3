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

const bind = (takeOver?: true, store = folder) =>
  bindStore(database.db, { photos, store, ...(takeOver && { takeOver }) })
const removeMark = () => rm(join(folder, 'installation'))
const intents = async () => (await database.pool.query('SELECT name FROM photo_intents')).rows.length

it('marks a new store once for all servers of a database', async () => {
  await Promise.all([bind(), bind()])
  const mark = await readFile(join(folder, 'installation'), 'utf8')
  expect(mark).toMatch(/^[0-9a-f-]{36}\n$/)
  await bind()
  expect(await readFile(join(folder, 'installation'), 'utf8')).toBe(mark)
  const { rows } = await database.pool.query('SELECT id, store FROM installation')
  expect(rows).toEqual([{ id: mark.trim(), store: folder }])
})

it.each([randomUUID(), ''])(
  'refuses a store with the mark %j until an operator takes it over',
  async (mark) => {
    await photos.writeMark(mark)
    await expect(bind()).rejects.toThrow(
      /^STORAGE_URL: the photo store \S+ belongs to another installation[^\n]+\.\/unspent admin take-over-store$/,
    )
    expect(await photos.readMark()).toBe(mark)
    await bind(true)
    await bind()
    expect(await photos.readMark()).not.toBe(mark)
  },
)

describe('a store that lacks the mark', () => {
  const refusal =
    /^STORAGE_URL: the photo store \S+ lacks the mark of this installation[^\n]+\.\/unspent admin take-over-store$/

  it('is refused if it had the mark before, as its disk may not be mounted', async () => {
    await bind()
    await removeMark()
    await expect(bind()).rejects.toThrow(refusal)
    expect(await photos.readMark()).toBeUndefined()
    await bind(true)
    await bind()
  })

  it('is refused if the installation has photos elsewhere', async () => {
    const server = await createTestApp({ photos })
    database = server
    await bind()
    await removeMark()
    await bind(undefined, 's3://new/')
    await removeMark()
    await submitted(await server.seller())
    await expect(bind(undefined, 's3://newer/')).rejects.toThrow(refusal)
    await bind(true, 's3://newer/')
    const { rows } = await database.pool.query('SELECT store FROM installation')
    expect(rows).toEqual([{ store: 's3://newer/' }])
  })
})

it('records a takeover in the audit log', async () => {
  await photos.writeMark('another')
  await bind(true)
  await bind(true)
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

it('treats a copy of a database as another installation, which does not remove the photos of the original', async () => {
  await bind()
  await announcePhotos(database.db, [newPhotoName()])
  await bind()
  expect(await intents()).toBe(1)
  // As in a dump that was restored elsewhere.
  await database.pool.query("UPDATE installation SET database = '7/7'")
  await expect(bind()).rejects.toThrow('belongs to another installation')
  expect(await intents()).toBe(0)
})
