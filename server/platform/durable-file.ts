import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** The prefix of files that are still being written. */
export const UNFINISHED = '.unfinished-'

/**
 * Writes a file (mode 0600) atomically. It survives a power cut once the promise resolves. Replaces an existing file. The
 * folder must exist. (write-file-atomic does not sync the folder, so a power cut may undo its rename.)
 */
export async function writeDurably(path: string, content: Buffer | string): Promise<void> {
  await writeAndMove(path, content, rename)
}

/** Like `writeDurably`, but keeps an existing file and returns false. */
export async function createDurably(path: string, content: Buffer | string): Promise<boolean> {
  try {
    await writeAndMove(path, content, linkAndRemove)
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw error
  }
}

/** Creates a folder (mode 0700) and its parents so that they survive a power cut. */
export async function makeFolderDurably(path: string): Promise<void> {
  const topmost = await mkdir(resolve(path), { recursive: true, mode: 0o700 })
  if (topmost === undefined) return
  for (let made = resolve(path); made.length >= topmost.length; made = dirname(made))
    await syncFolder(dirname(made))
}

const PROBE_BYTES = 64 * 1024

/** Rejects if nothing can be written in the folder: it is missing, closed or read-only, or its disk is full. */
export async function probeFolder(path: string): Promise<void> {
  const probe = join(path, `${UNFINISHED}probe-${randomBytes(9).toString('base64url')}`)
  try {
    await writeFile(probe, Buffer.alloc(PROBE_BYTES), { flag: 'wx', mode: 0o600 })
  } finally {
    await rm(probe, { force: true })
  }
}

/** The content of a file, or undefined if it does not exist. */
export async function readIfExists(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

/** Whether this is a system error with one of these codes, such as `ENOENT`. */
export function isErrno(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

async function writeAndMove(
  path: string,
  content: Buffer | string,
  moveTo: (from: string, to: string) => Promise<void>,
): Promise<void> {
  const unfinished = join(
    dirname(path),
    `${UNFINISHED}${randomBytes(9).toString('base64url')}-${basename(path)}`,
  )
  try {
    await writeSynced(unfinished, content)
    await moveTo(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

async function writeSynced(path: string, content: Buffer | string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Unlike rename, fails if the target exists. */
async function linkAndRemove(from: string, to: string): Promise<void> {
  await link(from, to)
  await rm(from)
}

/** Makes changes in a folder survive a power cut: created, renamed and removed files. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders; its file systems journal renames.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
