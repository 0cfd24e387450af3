import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import type { Command } from 'commander'
import { verifyLedger } from '#server/features/books/verify.ts'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import { openDatabase, openEmbedded, requireTables } from '#server/platform/database/open-database.ts'
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import { giftCards, payouts as payoutTable } from '#server/platform/database/schema.ts'
import { openStorage, storeName } from '#server/platform/photos/open-storage.ts'
import { pushKeyFileIn } from '#server/platform/push/push-key.ts'
import { verifyKeys } from '#server/platform/vault/key-check.ts'
import { keyFileOf, loadKeys } from '#server/platform/vault/keys.ts'
import { requireOwnStore } from '../installation.ts'
import { callersFile, type Output } from '../tools.ts'
import { backUp } from './backup.ts'
import { decrypted } from './encrypted.ts'
import { restore } from './restore.ts'
import { backUpToStore, requireBackupSettings } from './scheduled.ts'
import { BackupStore } from './store.ts'

export function addBackupCommands(program: Command, output: Output): void {
  const { say, show } = output
  const backup = program
    .command('backup')
    .description('write database and photos into FILE, and the keys into FILE.keys and FILE.push-key')
    .argument('[FILE]', 'without it: encrypted, to BACKUP_TO', callersFile)
    .option('--without-lost-photos', 'leave out photos that cannot be read')
    .option('--without-keys', 'do not write the keys, if you keep them elsewhere already')
    .option('--if-due', 'without FILE: only if the newest backup is older than BACKUP_EVERY_HOURS')
    .action((file: string | undefined, options: BackupChoices) =>
      backUpInstallation(readConfig(process.env), file, options, say),
    )
  backup
    .command('list')
    .description('list the backups in BACKUP_TO')
    .action(async () => {
      const { backupTo } = requireBackupSettings(readConfig(process.env))
      const found = await (await BackupStore.open(backupTo)).list()
      const names = found.map(({ name }) => name)
      show(found, names.length > 0 ? names : ['There are no backups yet.'])
    })
  backup
    .command('verify')
    .description('restore a backup into a temporary database, check the ledger, and remove it again')
    .argument('[FILE]', 'without it: the newest in BACKUP_TO', callersFile)
    .option('--identity <FILE>', 'the private key of age that opens it', callersFile)
    .action((file: string | undefined, { identity }: Opening) =>
      verifyBackup(readConfig(process.env), file, identity, output),
    )
  program
    .command('restore')
    .description('restore a backup into an empty DATA_DIR')
    .argument('FILE', '', callersFile)
    .option('--take-over-store', 'use the photo store even if it belongs to another installation')
    .option('--identity <FILE>', 'the private key of age that opens an encrypted backup', callersFile)
    .action((file: string, { takeOverStore = false, identity }: Opening & { takeOverStore?: boolean }) => {
      const config = embeddedConfig()
      return withFolder(async (work) =>
        restore({ ...config, file: await decrypted(file, identity, work), takeOverStore, say }),
      )
    })
}

interface Opening {
  readonly identity?: string
}

function embeddedConfig(): Config {
  const config = readConfig(process.env)
  if (config.databaseUrl === undefined) return config
  throw new OperatorError(
    'DATABASE_URL is set. Restore without it, into the embedded database of an empty DATA_DIR, or use pg_restore.',
  )
}

interface BackupChoices {
  readonly withoutLostPhotos?: boolean
  readonly withoutKeys?: boolean
  readonly ifDue?: boolean
}

async function backUpInstallation(
  config: Config,
  file: string | undefined,
  choices: BackupChoices,
  say: Output['say'],
): Promise<void> {
  if (!file) requireBackupSettings(config)
  const { connection, stop } = await openDatabase(config)
  const pool = createPool({ connection, max: 2, onError: () => undefined })
  try {
    await requireTables(pool, config)
    const db = createDatabase(pool)
    await verifyKeys(db, await loadKeys(config))
    const photos = await openStorage(config.storage)
    await requireOwnStore(db, { photos, store: storeName(config.storage) })
    const pushKeyFile = config.pushKey === undefined ? pushKeyFileIn(config.dataDir) : undefined
    const keyFiles = { keys: keyFileOf(config), 'push-key': pushKeyFile }
    const client = typeof connection === 'string' ? { connectionString: connection } : connection
    const make = (path: string, tell: typeof say) =>
      backUp({ file: path, keyFiles, connection: client, db, photos, ...choices, say: tell })
    if (file) await make(file, say)
    else {
      const toSpool = (path: string) => make(path, () => undefined)
      say(await backUpToStore(config, connection, toSpool, { onlyIfDue: choices.ifDue }))
    }
  } finally {
    await pool.end()
    await stop?.()
  }
}

/** Proves that a backup restores: nothing else does. */
async function verifyBackup(
  config: Config,
  file: string | undefined,
  identity: string | undefined,
  { show }: Output,
): Promise<void> {
  await withFolder(async (work) => {
    const path = await decrypted(file ?? (await fetchNewest(config, work)), identity, work)
    const dataDir = join(work, 'data')
    const storage = { kind: 'file', folder: join(work, 'photos') } as const
    const { secretKeys, pushKey } = config
    await restore({ file: path, dataDir, storage, secretKeys, pushKey, say: () => undefined })
    const { connection, stop } = await openEmbedded(dataDir)
    const pool = createPool({ connection, max: 2, onError: () => undefined })
    try {
      const db = createDatabase(pool)
      const { problems } = await verifyLedger(db)
      if (problems.length > 0)
        throw new OperatorError(`It restores, but its ledger does not agree:\n${problems.join('\n')}`)
      const found = { submissions: await db.$count(giftCards), payouts: await db.$count(payoutTable) }
      const counts = `submissions ${found.submissions}, payouts ${found.payouts}`
      show({ backup: basename(path), ...found }, [
        `${basename(path)} restores: ${counts}, and the ledger agrees.`,
      ])
    } finally {
      await pool.end()
      await stop?.()
    }
  })
}

async function fetchNewest(config: Config, into: string): Promise<string> {
  const { backupTo } = requireBackupSettings(config)
  const store = await BackupStore.open(backupTo)
  const [newest] = await store.list()
  if (!newest) throw new OperatorError('There is no backup in BACKUP_TO')
  return store.get(newest, into)
}

/** Work with a temporary folder, which may hold decrypted keys. */
async function withFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'unspent-backup-'))
  try {
    await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
