import { spawn } from 'node:child_process'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '#server/platform/config/config.ts'
import { OperatorError } from '#server/platform/config/operator-error.ts'
import type { Connection } from '#server/platform/database/pool.ts'
import { encrypt } from './encrypted.ts'
import { BackupStore, backupName } from './store.ts'

const HOUR_MS = 3_600_000
/** Kept at any age: after weeks without a backup, the first new one must not be the only one. */
const KEPT_AT_LEAST = 3
/** Any number that no other lock of the product has. */
const LOCK = 7_210_033

type BackupSettings = Pick<
  Config,
  'backupTo' | 'backupRecipient' | 'backupEveryHours' | 'backupKeepDays' | 'dataDir'
>

export function requireBackupSettings({ backupTo, backupRecipient }: BackupSettings) {
  if (backupTo && backupRecipient) return { backupTo, backupRecipient }
  throw new OperatorError('BACKUP_TO and BACKUP_RECIPIENT are not set: name a FILE, or set them')
}

/**
 * Makes an encrypted backup in `BACKUP_TO`, then removes old ones. One process does it at a time.
 *
 * @param make writes a backup and its keys to files that begin with this path
 * @returns what it did, for the operator
 */
export async function backUpToStore(
  config: BackupSettings,
  connection: Connection | string,
  make: (file: string) => Promise<void>,
  { onlyIfDue = false } = {},
): Promise<string> {
  const { backupTo, backupRecipient } = requireBackupSettings(config)
  const store = await BackupStore.open(backupTo)
  const client = new pg.Client(typeof connection === 'string' ? { connectionString: connection } : connection)
  client.on('error', () => undefined)
  await client.connect()
  let spool: string | undefined
  try {
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [LOCK])
    if (!rows[0]?.mine) return 'Another process makes a backup at this moment.'
    const [newest] = await store.list()
    if (onlyIfDue && newest && !isDue(newest.madeAt, config)) return `${newest.name} is new enough.`
    const madeAt = new Date()
    spool = await emptySpool(config.dataDir)
    const name = backupName(madeAt)
    await make(join(spool, name))
    const parts = new Map<string, string>()
    // The longest name is that of the push key, then the keys, then the backup.
    for (const part of (await readdir(spool)).sort((a, b) => b.length - a.length)) {
      parts.set(`${part}.age`, await encrypt(join(spool, part), backupRecipient))
      await rm(join(spool, part))
    }
    await store.put(parts)
    const removed = await removeOld(store, config)
    return `${name}.age is in BACKUP_TO.${removed > 0 ? ` ${removed} old ${removed === 1 ? 'one was' : 'ones were'} removed.` : ''}`
  } finally {
    if (spool) await rm(spool, { recursive: true, force: true })
    await client.end()
  }
}

/** Removes what a killed process has left: only the holder of the lock has a folder of this name. */
async function emptySpool(dataDir: string): Promise<string> {
  const path = join(dataDir, '.scheduled-backup')
  await rm(path, { recursive: true, force: true })
  await mkdir(path, { recursive: true, mode: 0o700 })
  return path
}

async function removeOld(store: BackupStore, { backupKeepDays }: BackupSettings): Promise<number> {
  const before = Date.now() - backupKeepDays * 24 * HOUR_MS
  const old = (await store.list()).slice(KEPT_AT_LEAST).filter(({ madeAt }) => madeAt.getTime() < before)
  for (const backup of old) await store.remove(backup)
  return old.length
}

function isDue(newest: Date, { backupEveryHours }: BackupSettings): boolean {
  return Date.now() - newest.getTime() >= backupEveryHours * HOUR_MS
}

/** Makes a backup when one is due, in its own process, so that encryption delays no call. */
export class BackupSchedule {
  readonly #config: BackupSettings
  readonly #log: Logger
  #newestAt: Date | undefined
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  readonly #stopping = new AbortController()

  constructor(config: BackupSettings, log: Logger) {
    this.#config = config
    this.#log = log
  }

  /** When the newest backup was made, as of the last look at `BACKUP_TO`. */
  get newestAt(): Date | undefined {
    return this.#newestAt
  }

  start(): void {
    this.#running = this.#check().finally(() => {
      if (this.#stopping.signal.aborted) return
      // Twice as often as the most frequent backup.
      this.#timer = setTimeout(() => this.start(), HOUR_MS / 2).unref()
    })
  }

  /** Ends a backup that is being made. The next start makes it. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    clearTimeout(this.#timer)
    await this.#running
  }

  async #check(): Promise<void> {
    try {
      const { backupTo } = requireBackupSettings(this.#config)
      const look = async () => {
        this.#newestAt = (await (await BackupStore.open(backupTo)).list())[0]?.madeAt
      }
      await look()
      if (this.#newestAt && !isDue(this.#newestAt, this.#config)) return
      await runBackup(this.#stopping.signal)
      await look()
      this.#log.info({ newestAt: this.#newestAt }, 'made a backup')
    } catch (err) {
      if (this.#stopping.signal.aborted) return
      this.#log.error({ err }, 'cannot make a backup; it tries again in half an hour')
    }
  }
}

/** `admin backup --if-due` with the settings of this process. Rejects with what it printed. */
function runBackup(signal: AbortSignal): Promise<void> {
  const program = [...process.execArgv, join(import.meta.dirname, '../main.ts'), 'backup', '--if-due']
  const child = spawn(process.execPath, program, { signal, stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-2000)
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(said.trim() || `exit code ${code}`)),
    )
  })
}
