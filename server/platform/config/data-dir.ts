import { makeFolderDurably, probeFolder } from '#server/platform/durable-file.ts'
import { OperatorError } from './operator-error.ts'

/**
 * Creates the folder of DATA_DIR if it is missing.
 *
 * @throws {OperatorError} if nothing can be written there
 */
export async function makeDataDir(path: string): Promise<void> {
  try {
    await makeFolderDurably(path)
    await probeFolder(path)
  } catch (error) {
    const why = error instanceof Error ? error.message : error
    throw new OperatorError(
      `DATA_DIR ${path} cannot be written (${why}). Give it to the user that runs the server.`,
    )
  }
}
