import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { createDurably, makeFolderDurably, readIfExists, writeDurably } from './durable-file.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unspent-durable-'))
})

it('writes a private file and leaves nothing else behind', async () => {
  await writeDurably(join(folder, 'a'), 'one')
  await writeDurably(join(folder, 'a'), Buffer.from('two'))
  expect(await readFile(join(folder, 'a'), 'utf8')).toBe('two')
  expect((await stat(join(folder, 'a'))).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).toEqual(['a'])
})

it('creates a file once among concurrent attempts', async () => {
  const tries = await Promise.all(
    Array.from({ length: 20 }, (_, i) => createDurably(join(folder, 'a'), String(i))),
  )
  expect(tries.filter(Boolean)).toHaveLength(1)
  expect(await readFile(join(folder, 'a'), 'utf8')).toBe(String(tries.indexOf(true)))
  expect(await readdir(folder)).toEqual(['a'])
})

it('removes its temporary file if it fails', async () => {
  await makeFolderDurably(join(folder, 'taken'))
  await writeFile(join(folder, 'taken', 'x'), '')
  await expect(writeDurably(join(folder, 'taken'), 'one')).rejects.toThrow()
  expect(await readdir(folder)).toEqual(['taken'])
})

it('reads files, and returns undefined only for missing ones', async () => {
  await writeFile(join(folder, 'a'), 'one')
  expect(await readIfExists(join(folder, 'a'))).toEqual(Buffer.from('one'))
  expect(await readIfExists(join(folder, 'b'))).toBeUndefined()
  expect(await readIfExists(join(folder, 'a', 'b'))).toBeUndefined()
  await expect(readIfExists(folder)).rejects.toThrow('EISDIR')
})

it('creates private nested folders, and may be repeated', async () => {
  await makeFolderDurably(join(folder, 'a', 'b'))
  await makeFolderDurably(join(folder, 'a', 'b'))
  expect((await stat(join(folder, 'a'))).mode & 0o777).toBe(0o700)
  expect((await stat(join(folder, 'a', 'b'))).mode & 0o777).toBe(0o700)
})
