import { readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readDemo } from '#server/demo.ts'
import { findRunning, startEmbedded } from '#server/platform/database/embedded.ts'
import { isErrno } from '#server/platform/durable-file.ts'

/** The folder cannot be used for a demo. The message is one line for the user. */
export class DemoFolderError extends Error {
  override name = 'DemoFolderError'
}

/**
 * Whether a demo has to be made in the folder. Deletes an existing demo if `fresh` is set.
 * @throws {DemoFolderError} if the folder contains anything else, so that real data is never deleted
 */
export async function prepareFolder(folder: string, fresh: boolean): Promise<boolean> {
  const names = await contents(folder)
  if (names.length === 0) return true
  if (!(await readDemo(folder)))
    throw new DemoFolderError(
      `${folder} contains data that is not a demo; choose another folder with --data FOLDER`,
    )
  if (!fresh) return false
  if (await findRunning(folder))
    throw new DemoFolderError(`A server is using ${folder}; stop it before you make a new demo`)
  await rm(folder, { recursive: true })
  return true
}

/** Makes the demo in a temporary folder and renames it, so that it is never incomplete. */
export async function makeAtomically(folder: string, make: (aside: string) => Promise<void>): Promise<void> {
  const aside = `${folder}.new`
  await removeLeftover(aside)
  try {
    await make(aside)
    await rm(folder, { recursive: true, force: true })
    await rename(aside, folder)
  } catch (error) {
    await rm(aside, { recursive: true, force: true, maxRetries: 5 })
    throw error
  }
}

/** Removes the folder of a run that was killed. Its database may still be running, so it is stopped first. */
async function removeLeftover(aside: string): Promise<void> {
  if (await exists(join(aside, 'postgres'))) {
    const database = await startEmbedded({ dataDir: aside, log: () => undefined })
    await database.stop()
  }
  await rm(aside, { recursive: true, force: true })
}

async function contents(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return []
    throw new DemoFolderError(`${folder} is not a readable folder`)
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
