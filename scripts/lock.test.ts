import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

// A variable, because the type check does not cover the scripts: they are plain JavaScript for any Node.
const script = './lock.mjs'
const { withLock } = await import(script)

let folder: string
let lock: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unspent-lock-'))
  lock = join(folder, 'dist', '.building')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const LONG_AGO = new Date('2020-01-01')

it('lets one process work at a time, and tells the other once that it waits', async () => {
  const onWait = vi.fn()
  let inside = 0
  const work = async () => {
    expect(++inside).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 500))
    inside--
  }
  await Promise.all([withLock(lock, onWait, work), withLock(lock, onWait, work)])
  expect(onWait).toHaveBeenCalledOnce()
})

it('is released when the work fails', async () => {
  const failing = async () => {
    throw new Error('no room')
  }
  await expect(withLock(lock, vi.fn(), failing)).rejects.toThrow('no room')
  await expect(stat(lock)).rejects.toThrow('ENOENT')
})

it('is taken from a process that was killed', async () => {
  await withLock(lock, vi.fn(), async () => undefined)
  await writeFile(lock, '999999999')
  const work = vi.fn()
  await withLock(lock, vi.fn(), work)
  expect(work).toHaveBeenCalledOnce()
})

it('is taken from a killed process even if another process now has its id', async () => {
  await withLock(lock, vi.fn(), async () => undefined)
  // A container that restarts uses the same few ids again.
  await writeFile(lock, String(process.pid))
  await utimes(lock, LONG_AGO, LONG_AGO)
  const work = vi.fn()
  await withLock(lock, vi.fn(), work)
  expect(work).toHaveBeenCalledOnce()
})

it('is renewed for as long as the work takes', async () => {
  await withLock(lock, vi.fn(), async () => {
    await utimes(lock, LONG_AGO, LONG_AGO)
    await expect.poll(async () => Date.now() - (await stat(lock)).mtimeMs).toBeLessThan(10_000)
    expect(await readFile(lock, 'utf8')).toBe(String(process.pid))
  })
})

it('is left alone if another process has taken it', async () => {
  await withLock(lock, vi.fn(), async () => {
    await writeFile(lock, '1')
    await utimes(lock, LONG_AGO, LONG_AGO)
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    expect((await stat(lock)).mtime).toEqual(LONG_AGO)
  })
  expect(await readFile(lock, 'utf8')).toBe('1')
})
