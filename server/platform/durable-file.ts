import { randomBytes } from 'node:crypto'
import { link, mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** How the names of files that are still being written begin. */
export const UNFINISHED = '.unfinished-'

/**
 * Writes a file (mode 0600) so that it is either there whole or not at all, and, once the promise is fulfilled,
 * also after a power cut. A file of that name is replaced. The folder must exist.
 */
export async function writeDurably(path: string, content: Buffer | string): Promise<void> {
  await writeBeside(path, content, rename)
}

/** Like `writeDurably`, but an existing file is left alone: `false` says that there was one. */
export async function createDurably(path: string, content: Buffer | string): Promise<boolean> {
  try {
    await writeBeside(path, content, linkInPlace)
    return true
  } catch (error) {
    if (isErrno(error, 'EEXIST')) return false
    throw error
  }
}

/** Creates a folder (mode 0700), with the folders above it, so that it survives a power cut. */
export async function makeFolderDurably(path: string): Promise<void> {
  const first = await mkdir(resolve(path), { recursive: true, mode: 0o700 })
  if (first === undefined) return
  for (let made = resolve(path); made.length >= first.length; made = dirname(made))
    await syncFolder(dirname(made))
}

/** The whole content of a file; undefined when there is none. Throws when it cannot be read. */
export async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path)
  } catch (error) {
    if (isErrno(error, 'ENOENT', 'ENOTDIR')) return undefined
    throw error
  }
}

/** Whether something thrown is a system error with one of these codes, such as `ENOENT`. */
export function isErrno(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

async function writeBeside(
  path: string,
  content: Buffer | string,
  putInPlace: (from: string, to: string) => Promise<void>,
): Promise<void> {
  const unfinished = join(
    dirname(path),
    `${UNFINISHED}${randomBytes(9).toString('base64url')}-${basename(path)}`,
  )
  try {
    await writeSynced(unfinished, content)
    await putInPlace(unfinished, path)
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

// Renaming would silently replace a file that appeared meanwhile; linking refuses to.
async function linkInPlace(from: string, to: string): Promise<void> {
  await link(from, to)
  await rm(from)
}

/** What was made, renamed or removed in a folder survives a power cut from here on. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders; its file systems record renames by themselves.
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
