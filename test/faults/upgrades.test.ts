import { copyFile, mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { beforeAll, describe, expect, it } from 'vitest'
import { verifyAuditLog } from '#server/features/audit/verify.ts'
import { verifyLedger } from '#server/features/books/verify.ts'
import { migrate, migrationsFolder } from '#server/platform/database/migrate.ts'
import { createPool } from '#server/platform/database/pool.ts'
import { createTestDatabase, schemaOf, type TestDatabase } from '#test/database.ts'
import { Random } from '#test/random.ts'
import { DatabaseLine } from './database-line.ts'
import { derivedTables, earlierData } from './earlier-data.ts'
import { report, seed, sizes, timeoutFor } from './sizes.ts'

let database: TestDatabase
let names: string[]
let newest: unknown
beforeAll(async () => {
  report(`upgrades: FAULTS_SEED=${seed}`)
  database = await createTestDatabase()
  newest = await schemaOf(database.pool)
  names = (await readdir(migrationsFolder)).filter((name) => name.endsWith('.sql')).sort()
})

const versionOf = (name: string): string => name.slice(0, 4)

/** Migrates a database to the version after its own, and adds that version's data. `folder` holds the files up to there. */
async function addVersion(pool: pg.Pool, folder: string, name: string): Promise<void> {
  await copyFile(join(migrationsFolder, name), join(folder, name))
  expect(await migrate(pool, { folder })).toEqual([name])
  const data = earlierData[versionOf(name)]
  if (data) await pool.query(data)
}

const newFolder = () => mkdtemp(join(tmpdir(), 'unspent-migrations-'))

const TABLES = `SELECT table_name AS name FROM information_schema.tables
  WHERE table_schema = 'public' AND table_type = 'BASE TABLE' AND table_name <> 'migrations' ORDER BY 1`

type Content = Record<string, Record<string, unknown>[]>

async function contentOf(pool: pg.Pool): Promise<Content> {
  const tables = await pool.query<{ name: string }>(TABLES)
  const content: Content = {}
  // One after another, because a connection for each takes longer.
  for (const { name } of tables.rows) {
    const { rows } = await pool.query(`SELECT to_jsonb(t) AS row FROM "${name}" t ORDER BY to_jsonb(t)`)
    content[name] = rows.map(({ row }) => row)
  }
  return content
}

/** Nothing is lost or changed. Columns and rows may have been added. */
function expectKept(before: Content, after: Content): void {
  for (const [table, rows] of Object.entries(before)) {
    if (derivedTables.has(table)) continue
    // The first was only a copy of the last move's reason, which the history keeps. PostgreSQL generates the second.
    for (const { status_reason: _reason, waiting_rank: _rank, ...row } of rows)
      expect(after[table]).toContainEqual(expect.objectContaining(unfilled(table, renamed(table, row))))
  }
}

/** Version 83 fills in how to check balances of known brands where a shop had entered nothing. */
function unfilled(table: string, row: Record<string, unknown>) {
  if (table !== 'brands') return row
  return Object.fromEntries(
    Object.entries(row).filter(([column, value]) => !(column.startsWith('balance_') && value === null)),
  )
}

/** Second factors belong to sellers too since version 41. */
function renamed(table: string, { administrator_id: id, ...row }: Record<string, unknown>) {
  const isRenamed = table === 'second_factors' || table === 'recovery_codes'
  return id === undefined ? row : { ...row, [isRenamed ? 'account_id' : 'administrator_id']: id }
}

async function expectSound({ pool, db }: Pick<TestDatabase, 'pool' | 'db'>): Promise<void> {
  expect(await schemaOf(pool)).toEqual(newest)
  expect(await verifyAuditLog(db)).toMatchObject({ intact: true })
  const { problems, balances } = await verifyLedger(db)
  expect(problems).toEqual([])
  // One submission of the first version is processing and two are completed. A later version released one of these.
  const released = await pool.query('SELECT 1 FROM gift_cards WHERE released_at IS NOT NULL')
  const used = (released.rowCount ?? 0) * 9300
  expect(Object.fromEntries(balances.map(({ account, ledger }) => [account, ledger]))).toEqual({
    incoming: 9300,
    payouts_payable: -9300,
    'cash:paypal': -18_600,
    stock: 18_600 - used,
    ...(used > 0 && { cards_used: used }),
  })
}

it('keeps the data of every version, up to the newest', async () => {
  expect(Object.keys(earlierData)).toEqual(names.map(versionOf).slice(0, Object.keys(earlierData).length))
  const folder = await newFolder()
  const growing = await createTestDatabase()
  await growing.pool.query('DROP OWNED BY CURRENT_USER')
  const contents: Content[] = []
  for (const name of names) {
    await addVersion(growing.pool, folder, name)
    contents.push(await contentOf(growing.pool))
  }
  const after = await contentOf(growing.pool)
  for (const before of contents) expectKept(before, after)
  await expectSound(growing)
})

describe('an interrupted upgrade', () => {
  it(
    `is finished by the next run, ${sizes.upgradeKills} times, whichever statement it was killed at`,
    async () => {
      const chance = new Random(seed)
      const { host, port, user, password, database: name } = new pg.Client(database.url)
      const line = await DatabaseLine.open({
        host,
        port,
        user,
        password,
        database: name,
        ssl: false,
      } as never)
      // Starting from the first version: settings, lock, applied migrations (two), and four statements per file.
      const statements = 4 + 4 * (names.length - 1)
      const points = (['before', 'after'] as const).flatMap((moment) =>
        Array.from({ length: statements }, (_, index) => ({ moment, nth: index + 1 })),
      )
      points.sort(() => chance.number() - 0.5)
      let kills = 0
      for (const { moment, nth } of points.slice(0, sizes.upgradeKills)) {
        await database.pool.query('DROP OWNED BY CURRENT_USER')
        await addVersion(database.pool, await newFolder(), names[0] ?? '')
        const before = await contentOf(database.pool)
        const pool = createPool({ connection: line.url, onError: () => undefined })
        let snapped = false
        // To the database, a killed process looks like a closed connection.
        void line.snapAt({ at: /(?:)/, moment, nth }, () => {
          snapped = true
          line.cut()
        })
        const first = await migrate(pool).catch(() => undefined)
        await pool.end()
        if (snapped) kills += 1
        expect(first === undefined).toBe(snapped)
        await migrate(database.pool)
        expectKept(before, await contentOf(database.pool))
        await expectSound(database)
      }
      line.close()
      expect(kills).toBe(Math.min(sizes.upgradeKills, points.length))
      report(`${kills} kills of an upgrade: each was finished by the next run`)
    },
    timeoutFor(sizes.upgradeKills),
  )
})
