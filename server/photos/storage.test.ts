import { access, mkdtemp, readdir, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { collectPhotos } from './collect.ts'
import { isPhotoName, newPhotoName } from './photo-name.ts'
import { openStorage, type PhotoStorage } from './storage.ts'

let parent: string
let folder: string
let storage: PhotoStorage
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'unspent-photos-'))
  folder = join(parent, 'uploads')
  storage = await openStorage({ kind: 'file', folder })
})

const bytes = Buffer.from('sealed')
const pathOf = (name: string) => join(folder, name.slice(0, 2), name)

async function namesListed(): Promise<string[]> {
  const names: string[] = []
  for await (const { name } of storage.list()) names.push(name)
  return names.sort()
}

async function age(path: string, hours: number): Promise<void> {
  const then = new Date(Date.now() - hours * 3_600_000)
  await utimes(path, then, then)
}

describe('the photo storage', () => {
  it('gives back what was put, until it is removed', async () => {
    const name = newPhotoName()
    expect(await storage.get(name)).toBeUndefined()
    await storage.put(name, bytes)
    expect(await storage.get(name)).toEqual(bytes)
    expect(await namesListed()).toEqual([name])
    await storage.remove(name)
    await storage.remove(name)
    expect(await storage.get(name)).toBeUndefined()
  })

  it('is for its owner only and leaves nothing unfinished', async () => {
    const name = newPhotoName()
    await storage.put(name, bytes)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, name.slice(0, 2)))).mode & 0o777).toBe(0o700)
    expect((await stat(pathOf(name))).mode & 0o777).toBe(0o600)
    expect(await readdir(join(folder, name.slice(0, 2)))).toEqual([name])
  })

  it('takes many at once, also into one sub-folder', async () => {
    const names = Array.from({ length: 50 }, (_, i) => `aa${newPhotoName().slice(2)}${i}`)
    await Promise.all(names.map((name) => storage.put(name, Buffer.from(name))))
    expect(await namesListed()).toEqual([...names].sort())
    for (const name of names) expect(await storage.get(name)).toEqual(Buffer.from(name))
  })

  it('recovers when a sub-folder could not be made', async () => {
    const name = newPhotoName()
    const inTheWay = join(folder, name.slice(0, 2))
    await writeFile(inTheWay, '')
    await expect(storage.put(name, bytes)).rejects.toThrow()
    expect(await storage.get(name)).toBeUndefined()
    const { rm } = await import('node:fs/promises')
    await rm(inTheWay)
    await storage.put(name, bytes)
  })

  it.each([
    '../../../../../../etc/passwd',
    '..',
    '',
    'short',
    `../uploads/${'a'.repeat(30)}`,
    `${'a'.repeat(22)}/../x`,
    `${'a'.repeat(22)}.jpg`,
    `${'a'.repeat(22)}\n`,
    `${'a'.repeat(22)}\0`,
    `aa\\${'a'.repeat(22)}`,
    `${'ä'.repeat(22)}`,
    '%2e%2e%2f%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    'a'.repeat(65),
  ])('knows no photo called %j', async (name) => {
    expect(isPhotoName(name)).toBe(false)
    expect(await storage.get(name)).toBeUndefined()
    await expect(storage.put(name, bytes)).rejects.toThrow('Not the name of a photo')
    await storage.remove(name)
    expect(await readdir(parent)).toEqual(['uploads'])
    expect(await readdir(folder)).toEqual([])
  })

  it('makes names that cannot be guessed', () => {
    const names = Array.from({ length: 1000 }, newPhotoName)
    expect(new Set(names).size).toBe(1000)
    expect(names.every(isPhotoName)).toBe(true)
  })
})

describe('the collection', () => {
  const anHourAgo = () => new Date(Date.now() - 3_600_000)

  it('removes old photos nobody claims, and no others', async () => {
    const [claimed, orphan, young] = [newPhotoName(), newPhotoName(), newPhotoName()]
    for (const name of [claimed, orphan, young]) await storage.put(name, bytes)
    for (const name of [claimed, orphan]) await age(pathOf(name), 2)
    const isClaimed = async (names: readonly string[]) => new Set(names.filter((name) => name === claimed))
    expect(await collectPhotos({ storage, isClaimed, before: anHourAgo() })).toBe(1)
    expect(await namesListed()).toEqual([claimed, young].sort())
  })

  it('removes what was cut off, and leaves alone what is no photo', async () => {
    const name = newPhotoName()
    await storage.put(name, bytes)
    const [old, recent, foreign] = ['.unfinished-a-b', '.unfinished-c-d', 'README'].map((file) =>
      join(folder, name.slice(0, 2), file),
    )
    for (const path of [old, recent, foreign]) await writeFile(path ?? '', '')
    for (const path of [old, foreign]) await age(path ?? '', 2)
    const isClaimed = async (names: readonly string[]) => new Set(names)
    expect(await collectPhotos({ storage, isClaimed, before: anHourAgo() })).toBe(1)
    await expect(access(old ?? '')).rejects.toThrow()
    await access(recent ?? '')
    await access(foreign ?? '')
  })

  it('ends with the photo at hand when it is told to', async () => {
    const names = Array.from({ length: 5 }, newPhotoName)
    for (const name of names) await storage.put(name, bytes)
    const ended = new AbortController()
    const isClaimed = async () => new Set<string>()
    const ending: PhotoStorage = {
      ...storage,
      list: () => storage.list(),
      removeUnfinished: async () => 0,
      remove: async (name) => {
        await storage.remove(name)
        ended.abort()
      },
    }
    const before = await namesListed()
    const collected = collectPhotos({
      storage: ending,
      isClaimed,
      before: new Date(Date.now() + 3_600_000),
      signal: ended.signal,
    })
    expect(await collected).toBe(1)
    expect(await namesListed()).toHaveLength(before.length - 1)
  })

  it('asks for a limited number at a time', async () => {
    const asked: number[] = []
    const many: PhotoStorage = {
      ...storage,
      removeUnfinished: async () => 0,
      remove: async () => {},
      async *list() {
        for (let i = 0; i < 1203; i++) yield { name: newPhotoName(), storedAt: new Date(0) }
      },
    }
    const isClaimed = async (names: readonly string[]) => {
      asked.push(names.length)
      return new Set<string>()
    }
    expect(await collectPhotos({ storage: many, isClaimed, before: new Date() })).toBe(1203)
    expect(asked).toEqual([500, 500, 203])
  })
})
