import { join } from 'node:path'
import { expect } from 'vitest'
import { readConfig } from '#server/platform/config/config.ts'
import { findRunning } from '#server/platform/database/embedded.ts'
import { createPool } from '#server/platform/database/pool.ts'
import { openStorage } from '#server/platform/photos/open-storage.ts'
import type { Acknowledgements } from './acknowledgements.ts'
import { check, photosIn } from './checker.ts'
import { makeJobsDue, until } from './shop.ts'

/** Runs the checker on the folder of a running server, after it has sent its mail. */
export async function checkFolder(dataDir: string, acknowledgements: Acknowledgements): Promise<void> {
  const connection = await findRunning(dataDir)
  if (!connection) throw new Error('No PostgreSQL runs on the folder')
  const pool = createPool({ connection, max: 4, statementTimeout: 60_000, onError: () => undefined })
  try {
    await until(async () => (await waitingJobs(pool)) === 0)
    const storage = await openStorage(readConfig({ DATA_DIR: dataDir }).storage)
    const stored = () => photosIn(join(dataDir, 'uploads'))
    expect(await check({ pool, storage, stored, acknowledgements, folders: [dataDir] })).toEqual([])
  } finally {
    await pool.end()
  }
}

async function waitingJobs(pool: ReturnType<typeof createPool>): Promise<number> {
  await makeJobsDue(pool)
  const { rows } = await pool.query('SELECT 1 FROM jobs WHERE done_at IS NULL AND failed_at IS NULL')
  return rows.length
}
