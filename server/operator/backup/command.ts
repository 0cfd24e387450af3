import type { Command } from 'commander'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { openEmbedded, requireTables } from '#server/platform/database/open-database.ts'
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import { openStorage, storeName } from '#server/platform/photos/open-storage.ts'
import { pushKeyFileIn } from '#server/platform/push/push-key.ts'
import { verifyKeys } from '#server/platform/vault/key-check.ts'
import { keyFileOf, loadKeys } from '#server/platform/vault/keys.ts'
import { requireOwnStore } from '../installation.ts'
import { backUp } from './backup.ts'
import { restore } from './restore.ts'

const say = (line: string): void => void process.stdout.write(`${line}\n`)

export function addBackupCommands(program: Command): void {
  program
    .command('backup')
    .description('write database and photos into FILE, and the keys into FILE.keys and FILE.push-key')
    .argument('FILE')
    .option('--without-lost-photos', 'leave out photos that cannot be read')
    .option('--without-keys', 'do not write the keys, if you keep them elsewhere already')
    .action((file: string, options: BackupChoices) => backUpInstallation(embeddedConfig(), file, options))
  program
    .command('restore')
    .description('restore a backup into an empty DATA_DIR')
    .argument('FILE')
    .option('--take-over-store', 'use the photo store even if it belongs to another installation')
    .action((file: string, { takeOverStore = false }: { takeOverStore?: boolean }) =>
      restore({ ...embeddedConfig(), file, takeOverStore, say }),
    )
}

function embeddedConfig(): Config {
  const config = readConfig(process.env)
  if (config.databaseUrl === undefined) return config
  throw new OperatorError(
    'DATABASE_URL is set. Back up that database with its own tools, pg_dump and pg_restore.',
  )
}

interface BackupChoices {
  readonly withoutLostPhotos?: boolean
  readonly withoutKeys?: boolean
}

async function backUpInstallation(config: Config, file: string, choices: BackupChoices): Promise<void> {
  const { connection, stop } = await openEmbedded(config.dataDir)
  const pool = createPool({ connection, max: 2, onError: () => undefined })
  try {
    await requireTables(pool, config)
    const db = createDatabase(pool)
    await verifyKeys(db, await loadKeys(config))
    const photos = await openStorage(config.storage)
    await requireOwnStore(db, { photos, store: storeName(config.storage) })
    const pushKeyFile = config.pushKey === undefined ? pushKeyFileIn(config.dataDir) : undefined
    const keyFiles = { keys: keyFileOf(config), 'push-key': pushKeyFile }
    await backUp({ file, keyFiles, connection, db, photos, ...choices, say })
  } finally {
    await pool.end()
    await stop?.()
  }
}
