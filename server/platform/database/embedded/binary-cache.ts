import { randomBytes } from 'node:crypto'
import { chmod, copyFile, lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'

/** Parts for compiling against PostgreSQL, a third of its size. */
const unneeded = /\.a$|^pkgconfig$|^pgxs$/

/**
 * Copies of the folder `native`, each in another cache folder, made when they are asked for and kept for the next
 * start. A clone below a closed folder such as /root cannot be entered by the user PostgreSQL runs as.
 */
export async function* cachedCopies(
  native: string,
  version: string,
  caches = usualCaches(),
): AsyncGenerator<string> {
  for (const cache of caches) {
    const target = join(cache, `postgresql-${version}`)
    const ready = await fill(native, cache, target).catch(() => false)
    if (ready) yield join(target, 'native')
  }
}

function usualCaches(): string[] {
  const uid = process.geteuid?.() ?? 0
  const own = uid === 0 ? ['/var/cache/unspent', '/var/lib/unspent'] : [join(homedir(), '.cache', 'unspent')]
  return [...own, join(tmpdir(), `unspent-cache-${uid}`)]
}

async function fill(native: string, cache: string, target: string): Promise<boolean> {
  await mkdir(cache, { recursive: true, mode: 0o755 })
  if (!(await isOurs(cache))) return false
  await chmod(cache, 0o755)
  if (await isComplete(native, target)) return true

  const staging = `${target}.${process.pid}-${randomBytes(6).toString('hex')}`
  try {
    await copyOpen(native, join(staging, 'native'))
    await chmod(staging, 0o755)
    await rm(target, { recursive: true, force: true })
    await rename(staging, target).catch(() => undefined)
  } finally {
    await rm(staging, { recursive: true, force: true })
  }
  return isComplete(native, target)
}

/** What we are about to run must not be somebody else's to change. */
async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder)
  return found.isDirectory() && found.uid === process.geteuid?.() && (found.mode & 0o022) === 0
}

/** A power cut can leave a renamed folder of empty files, hence the sizes. */
async function isComplete(native: string, target: string): Promise<boolean> {
  if (!(await isOurs(target).catch(() => false))) return false
  for (const part of ['bin', 'lib']) {
    for (const entry of await readdir(join(native, part), { withFileTypes: true })) {
      if (!entry.isFile() || unneeded.test(entry.name)) continue
      const [from, to] = [native, join(target, 'native')].map((root) => join(root, part, entry.name))
      if (!from || !to || (await sizeOf(from)) !== (await sizeOf(to))) return false
    }
  }
  return true
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? -1
}

/** Copies readable for everybody, whatever our umask or the modes of the source say. */
async function copyOpen(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true })
  await chmod(to, 0o755)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (unneeded.test(entry.name)) continue
    if (entry.isDirectory()) await copyOpen(source, target)
    else if (entry.isFile()) await copyFile(source, target).then(() => chmod(target, 0o755))
  }
}
