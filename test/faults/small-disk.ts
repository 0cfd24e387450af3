import { execFileSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newDataDir } from '#test/server-process.ts'

/** Whether small disks can be had here: root may mount them. */
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

/** Mounts one at a folder of its own; `to` is told how it goes away. */
export async function smallDisk(size: string, to: (() => unknown)[]): Promise<string> {
  const folder = await newDataDir()
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0755`, 'tmpfs', folder])
  to.push(() => execFileSync('umount', ['--lazy', folder]))
  return folder
}

/** Leaves no room at all. @returns the file that takes it */
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
