import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { openStorage } from './open-storage.ts'
import { isPhotoName, newPhotoName, type PhotoStorage } from './storage.ts'

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

async function filesStored(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort()
}

describe('the photo storage', () => {
  it('returns a photo until it is removed', async () => {
    const name = newPhotoName()
    expect(await storage.get(name)).toBeUndefined()
    await storage.put(name, bytes)
    expect(await storage.get(name)).toEqual(bytes)
    expect(await filesStored()).toEqual([name])
    await storage.remove(name)
    await storage.remove(name)
    expect(await storage.get(name)).toBeUndefined()
  })

  it('may be shared by servers on one folder', async () => {
    const other = await openStorage({ kind: 'file', folder })
    const names = Array.from({ length: 20 }, (_, index) => `aa${newPhotoName().slice(2)}${index}`)
    await Promise.all(names.map((name, index) => (index % 2 ? storage : other).put(name, bytes)))
    for (const name of names) expect(await storage.get(name)).toEqual(bytes)
    await Promise.all(names.flatMap((name) => [storage.remove(name), other.remove(name)]))
    expect(await filesStored()).toEqual([])
  })

  it('is private and leaves no temporary files', async () => {
    const name = newPhotoName()
    await storage.put(name, bytes)
    expect((await stat(folder)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder, name.slice(0, 2)))).mode & 0o777).toBe(0o700)
    expect((await stat(pathOf(name))).mode & 0o777).toBe(0o600)
    expect(await readdir(join(folder, name.slice(0, 2)))).toEqual([name])
  })

  it('stores many photos at once, also in one subfolder', async () => {
    const names = Array.from({ length: 50 }, (_, i) => `aa${newPhotoName().slice(2)}${i}`)
    await Promise.all(names.map((name) => storage.put(name, Buffer.from(name))))
    expect(await filesStored()).toEqual([...names].sort())
    for (const name of names) expect(await storage.get(name)).toEqual(Buffer.from(name))
  })

  it('recovers after a subfolder could not be created', async () => {
    const name = newPhotoName()
    const inTheWay = join(folder, name.slice(0, 2))
    await mkdir(folder)
    await writeFile(inTheWay, '')
    await expect(storage.put(name, bytes)).rejects.toThrow()
    expect(await storage.get(name)).toBeUndefined()
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
  ])('rejects the photo name %j', async (name) => {
    expect(isPhotoName(name)).toBe(false)
    expect(await storage.get(name)).toBeUndefined()
    await expect(storage.put(name, bytes)).rejects.toThrow('Not the name of a photo')
    await storage.remove(name)
    expect(await readdir(parent)).toEqual([])
  })

  it('makes unguessable names', () => {
    const names = Array.from({ length: 1000 }, newPhotoName)
    expect(new Set(names).size).toBe(1000)
    expect(names.every(isPhotoName)).toBe(true)
  })

  it('removes a photo with leftovers of an interrupted write, and no other file', async () => {
    const [name, other] = [`aa${newPhotoName().slice(2)}`, `aa${newPhotoName().slice(2)}`]
    await storage.put(name, bytes)
    const leftover = (of: string) => join(folder, 'aa', `.unfinished-abc-${of}`)
    for (const path of [leftover(name), leftover(other), join(folder, 'aa', 'README')])
      await writeFile(path, '')
    await storage.remove(name)
    expect(await filesStored()).toEqual([`.unfinished-abc-${other}`, 'README'].sort())
  })
})
