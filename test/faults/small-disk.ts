import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newDataDir } from '#test/server-process.ts'

/** Whether this process can mount a small disk. Only root can. */
export function canMount(): boolean {
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', '/mnt'], {
      stdio: 'ignore',
    })
    return process.geteuid?.() === 0
  } catch {
    return false
  }
}

/** Mounts a small disk on a new folder. Adds its unmount to `cleanups`. */
export async function smallDisk(size: string, cleanups: (() => unknown)[]): Promise<string> {
  const folder = await newDataDir()
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0755`, 'tmpfs', folder])
  cleanups.push(() => execFileSync('umount', ['--lazy', folder]))
  return folder
}

/** Fills the disk completely. Returns the file that does so. */
export async function fill(folder: string): Promise<string> {
  const ballast = join(folder, 'ballast')
  for (const size of [1 << 20, 1 << 12]) {
    const piece = Buffer.alloc(size)
    while (
      await writeFile(ballast, piece, { flag: 'a' }).then(
        () => true,
        () => false,
      )
    );
  }
  return ballast
}
