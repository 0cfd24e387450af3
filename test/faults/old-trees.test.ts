import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { isDeepStrictEqual, promisify } from 'node:util'
import type pg from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { WirePayout } from '#contract/payouts.ts'
import { verifyAuditLog } from '#server/features/audit/verify.ts'
import { verifyLedger } from '#server/features/books/verify.ts'
import { checksumOf } from '#server/platform/database/checksum.ts'
import { findRunning, startEmbedded } from '#server/platform/database/embedded.ts'
import { migrationsFolder } from '#server/platform/database/migrate.ts'
import releasedMigrations from '#server/platform/database/migrations/released.json' with { type: 'json' }
import { createDatabase, createPool } from '#server/platform/database/pool.ts'
import { createTestDatabase, schemaOf } from '#test/database.ts'
import { operator } from '#test/operator.ts'
import { ADMIN_PASSWORD } from '#test/people.ts'
import { linked, Person } from '#test/person.ts'
import { remote } from '#test/remote.ts'
import { newDataDir, ServerProcess } from '#test/server-process.ts'
import { registered, signedInStaff } from '#test/signed-in.ts'
import { photo, submit } from '#test/submissions.ts'
import { derivedTables } from './earlier-data.ts'
import { makeJobsDue, until } from './shop.ts'
import { report, sizes, timeoutFor } from './sizes.ts'

const root = join(import.meta.dirname, '../..')
const FIRST = '1241a37a'
const BOOKS = 'server/platform/database/migrations/0026_inventory_and_ledger.sql'

/**
 * The trees before and with each edit of a migration, without those that have the same migrations as another one. The last ones
 * had gaps between their migrations, which later trees filled.
 */
const trees = [
  [FIRST, 'the oldest tree'],
  ['d8b55477~', '0012 lacks a column'],
  ['486197bf~', '0009 has other comments'],
  ['d8b55477', '0009 has other comments, 0012 has its column'],
  ['f437c495', '0004 and 0008 have other comments'],
  ['caa2b2d8', '0004 and 0008 as they are'],
  ['5811e0df~', '0020 has other comments'],
  ['5811e0df', '0020 as it is'],
  ['f6d0eb75~', '0038 has other comments'],
  ['f6d0eb75', '0038 as it is'],
  ['dee8775d', '0013 without 0009 and 0012'],
  ['ad2140a7~', '0024 without 0022'],
  ['93f8fb5d', '0030 without 0028 and 0029'],
  ['923ba185', '0039 without 0037'],
] as const

// A release that was unpacked from an archive has no history. Anything else that keeps Git from answering fails the tests.
const hasHistory = existsSync(join(root, '.git'))
if (!hasHistory) report('old trees: left out, because this is not a Git clone')

it.runIf(hasHistory)(
  'no migration has changed since it was released, or databases with it are known by its checksum',
  async () => {
    const folders = ['server/database/migrations', 'server/platform/database/migrations']
    const since = await git(
      'log',
      '--format=',
      '--raw',
      '--no-renames',
      '--abbrev=40',
      `${FIRST}..HEAD`,
      '--',
      ...folders,
    )
    const first = await git('ls-tree', '-r', FIRST, '--', ...folders)
    const changed = [...since.matchAll(/^:\S+ \S+ \S+ (\w+) [AM]\t(.*\.sql)$/gm)]
    const versions = [...[...first.matchAll(/ blob (\w+)\t(.*)$/gm)], ...changed]
    expect(versions.length).toBeGreaterThan(40)
    for (const [, blob = '', path = ''] of versions) {
      const name = basename(path)
      const sql = await git('cat-file', 'blob', blob)
      const today = checksumOf(await readFile(join(migrationsFolder, name), 'utf8'))
      const known: Readonly<Record<string, readonly string[]>> = releasedMigrations
      const isKnown = checksumOf(sql) === today || known[name]?.includes(sha256(sql))
      expect([name, blob, isKnown]).toEqual([name, blob, true])
    }
  },
)

const newest = await createTestDatabase()

describe.runIf(hasHistory)('a data folder of an older tree', () => {
  it.each(trees.slice(0, sizes.oldTrees))(
    'of %s (%s) is upgraded with its data, photos and due payouts',
    async (commit) => {
      const tree = await openTree(commit)
      const dataDir = await newDataDir()
      // Otherwise the servers erase old submissions in between.
      const settings = { DATA_DIR: dataDir, ADMIN_PASSWORD, RATE_LIMITS: 'off', ERASE_AFTER_DAYS: '3650' }
      // The program of trees with books fills no books, so there the server makes all rows.
      if (!existsSync(join(tree, BOOKS))) await fill(tree, settings, sizes.oldRows)

      const old = startServer(settings, tree)
      const oldStaff = await signedInStaff(new Person(remote(await old.ready())))
      const cards = await sell(await old.ready(), oldStaff, sizes.oldCards)
      const oldPhotos = await hashPhotos(oldStaff, cards)
      const before = await withDatabase(dataDir, contentOf)
      const oldReasons = await readReasons(oldStaff, cards)
      const backup = await backUp(tree, settings)
      await old.end()

      const server = startServer(settings)
      const staff = await signedInStaff(new Person(remote(await server.ready())))
      expect(await hashPhotos(staff, cards)).toEqual(oldPhotos)
      expect(await readReasons(staff, cards)).toEqual(oldReasons)
      await withDatabase(dataDir, async (pool) => {
        await until(async () => (await waitingJobs(pool)) === 0)
        expectKept(before, await contentOf(pool))
        expect(await schemaOf(pool)).toEqual(await schemaOf(newest.pool))
        const db = createDatabase(pool)
        expect(await verifyAuditLog(db)).toMatchObject({ intact: true })
        expect((await verifyLedger(db)).problems).toEqual([])
      })
      const isConfirming = isApplied(before, '0013_confirmed_email.sql')
      await expectBatchable(staff, isConfirming ? cards.due.length : 0)
      await server.end()
      await expectRestored(backup, isConfirming)
      const rows = [...before.values()].reduce((sum, table) => sum + table.rows.size, 0)
      expect(rows).toBeGreaterThan(sizes.oldRows)
      report(`upgraded ${commit}: ${rows} rows and ${Object.keys(oldPhotos).length} photos are the same`)
    },
    timeoutFor(3),
  )
})

/** Ends with the test, also when that fails. */
function startServer(settings: Record<string, string>, tree?: string): ServerProcess {
  const server = ServerProcess.start(settings, tree)
  onTestFinished(() => server.end())
  return server
}

/** The folder of a tree, which runs with today's packages. */
async function openTree(commit: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'unspent-old-tree-'))
  const tree = join(folder, 'tree')
  await mkdir(tree)
  const archive = join(folder, 'tree.tar')
  await git('archive', '--output', archive, commit)
  await run('tar', ['-xf', archive, '-C', tree])
  await symlink(join(root, 'node_modules'), join(tree, 'node_modules'))
  // Packages of older trees that today's does not have, where Node looks next.
  const packages = join(folder, 'node_modules')
  await mkdir(join(packages, '@lingui/core'), { recursive: true })
  await symlink(join(root, 'node_modules/@prometheus-io/client'), join(packages, 'prom-client'))
  await writeFile(join(packages, '@lingui/core/package.json'), '{"type": "module", "exports": "./core.js"}')
  await writeFile(join(packages, '@lingui/core/core.js'), LINGUI)
  return tree
}

/** Answers with texts as they are, without filling in values. */
const LINGUI = `export function setupI18n({ locale, messages }) {
  const own = messages[locale]
  return { messages: own, load: (_, more) => Object.assign(own, more), _: (key) => [own[key]].flat().join('') }
}`

/** Fills the database with the tree's own program. */
async function fill(tree: string, settings: Record<string, string>, submissions: number): Promise<void> {
  await runProgram(tree, 'data', ['--submissions', String(submissions)], settings)
}

async function backUp(tree: string, settings: Record<string, string>): Promise<string> {
  const file = join(tree, 'old.unspent')
  await runProgram(tree, 'admin', ['backup', file], settings)
  return file
}

/** Runs a script of the tree's package.json, without the installation that precedes it. */
async function runProgram(
  tree: string,
  script: string,
  words: readonly string[],
  settings: Record<string, string>,
): Promise<void> {
  const { scripts } = JSON.parse(await readFile(join(tree, 'package.json'), 'utf8'))
  const program = join(tree, String(scripts[script]).split(' ').at(-1) ?? '')
  const { PATH, HOME } = process.env
  await run(process.execPath, [program, ...words], { cwd: tree, env: { PATH, HOME, ...settings } })
}

interface Cards {
  /** Approved, so their payouts are due. */
  readonly due: readonly string[]
  readonly others: readonly string[]
}

/** One seller sells cards with photos through the tree's own server. */
async function sell(url: string, staff: Person, count: number): Promise<Cards> {
  const seller = await registered(new Person(remote(url)))
  const statuses = ['processing', 'completed', 'pending', 'rejected']
  const cards = { due: [] as string[], others: [] as string[] }
  for (let index = 0; index < count; index++) {
    const photos = [await photo(index), await photo(255 - index)]
    let answer = await submit(seller, {}, { photos })
    // On a busy machine.
    while (answer.status === 503) answer = await submit(seller, {}, { photos })
    expect([answer.status, answer.text]).toEqual([201, expect.anything()])
    const id: string = answer.json.giftCard.id
    const status = statuses[index % statuses.length]
    if (status !== 'pending') {
      const move = { status, ...(status === 'rejected' && { reason: 'Blurry' }) }
      const moved = await staff.patch(`/api/admin/submissions/${id}/status`, move)
      expect([moved.status, moved.text]).toEqual([200, expect.anything()])
    }
    cards[status === 'processing' ? 'due' : 'others'].push(id)
  }
  return cards
}

/** The hash of each photo that staff can open, by its path. */
async function hashPhotos(staff: Person, { due, others }: Cards): Promise<Record<string, string>> {
  const hashes: Record<string, string> = {}
  for (const id of [...due, ...others]) {
    const { images } = (await staff.get(`/api/admin/submissions/${id}`)).json
    expect(images).toHaveLength(2)
    for (const image of images) {
      const name = basename(image)
      const answer = await staff.get(`/api/admin/view/${name}`)
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/jpeg'])
      hashes[name] = sha256(answer.bytes)
    }
  }
  return hashes
}

async function withDatabase<Result>(
  dataDir: string,
  work: (pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const connection = await findRunning(dataDir)
  if (!connection) throw new Error(`No PostgreSQL runs on ${dataDir}`)
  const pool = createPool({ connection, max: 2, onError: () => undefined })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

async function waitingJobs(pool: pg.Pool): Promise<number> {
  await makeJobsDue(pool)
  const { rows } = await pool.query('SELECT 1 FROM jobs WHERE done_at IS NULL AND failed_at IS NULL')
  return rows.length
}

type Row = Readonly<Record<string, unknown>>
type Content = ReadonlyMap<
  string,
  { readonly key: readonly string[]; readonly rows: ReadonlyMap<string, Row> }
>

/** All rows by their primary keys. */
async function contentOf(pool: pg.Pool): Promise<Content> {
  const { rows: tables } = await pool.query<{ name: string; key: string[] }>(`
    SELECT indrelid::regclass::text AS name, array_agg(attname::text ORDER BY attnum) AS key
    FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
    WHERE indisprimary AND indrelid::regclass::text IN (SELECT tablename FROM pg_tables WHERE schemaname = 'public')
    GROUP BY indrelid`)
  const content = new Map()
  for (const { name, key } of tables) {
    const { rows } = await pool.query<{ row: Row }>(`SELECT to_jsonb(t) AS row FROM "${name}" t`)
    content.set(name, { key, rows: new Map(rows.map(({ row }) => [keyOf(row, key), row])) })
  }
  return content
}

const keyOf = (row: Row, key: readonly string[]) => JSON.stringify(key.map((column) => row[column]))

/**
 * What an upgrade changes on purpose. Blind indexes are computed in another way. Reasons are sealed, or replaced with codes: their
 * texts are compared as staff read them.
 */
const CHANGED = new Set([
  'gift_cards.card_number_index',
  'gift_cards.payment_account_index',
  'gift_cards.status_reason',
  'sessions.expire',
  'status_history.reason',
  'status_history.sealed_reason',
])

function expectKept(before: Content, after: Content): void {
  for (const [name, { rows }] of before) {
    if (derivedTables.has(name)) continue
    for (const [key, row] of rows) {
      const now = after.get(name)?.rows.get(key)
      for (const [column, value] of Object.entries(row)) {
        if (CHANGED.has(`${name}.${column}`) || isDeepStrictEqual(now?.[column], value)) continue
        throw new Error(
          `${name} ${key}: ${column} was ${JSON.stringify(value)}, is ${JSON.stringify(now?.[column])}`,
        )
      }
    }
  }
}

/** The texts of the reasons that staff gave, by submission. */
async function readReasons(staff: Person, { due, others }: Cards): Promise<Record<string, unknown>> {
  const reasons: Record<string, unknown> = {}
  for (const id of [...due, ...others]) {
    const history = (await staff.get(`/api/admin/submissions/${id}/history`)).json
    reasons[id] = history.flatMap(({ reason }: { reason: string | null }) => reason ?? [])
  }
  expect(Object.values(reasons)).toContainEqual(['Blurry'])
  return reasons
}

const isApplied = (content: Content, migration: string): boolean =>
  content.get('migrations')?.rows.has(JSON.stringify([migration])) ?? false

/** All due payouts can be in a batch, but those with a risk and those of a seller who never confirmed, though asked to. */
async function expectBatchable(staff: Person, unconfirmed: number): Promise<void> {
  const due: WirePayout[] = []
  for (let page: string | undefined = '/api/admin/payouts?state=due'; page; ) {
    const answer = await staff.get(page)
    due.push(...answer.json)
    page = answer.headers.link?.toString().includes('rel="next"') ? linked(answer) : undefined
  }
  const problems = due.flatMap(({ problem }) => (problem === 'risk_open' ? [] : (problem ?? [])))
  expect(problems).toEqual(Array(unconfirmed).fill('email_unconfirmed'))
  const ready = due.filter(({ problem }) => problem === null)
  for (const paymentType of new Set(ready.map((payout) => payout.paymentType))) {
    const batch = await staff.post('/api/admin/payout-batches', { paymentType })
    const count = ready.filter((payout) => payout.paymentType === paymentType).length
    expect([batch.status, batch.json]).toEqual([201, expect.objectContaining({ count })])
  }
  expect(due.length).toBeGreaterThan(0)
}

/** A backup does not say when its migrations were applied, so it waives nothing if its version confirmed addresses. */
async function expectRestored(backup: string, isConfirming: boolean): Promise<void> {
  const dataDir = await newDataDir()
  await operator(dataDir, 'restore', backup)
  const { connection, stop } = await startEmbedded({ dataDir, log: () => undefined })
  const pool = createPool({ connection, max: 1, onError: () => undefined })
  const { rows } = await pool.query(
    'SELECT DISTINCT confirmation_waived AS waived FROM users WHERE NOT verified',
  )
  await pool.end()
  await stop()
  expect(rows).toEqual([{ waived: !isConfirming }])
}

const run = promisify(execFile)

async function git(...args: readonly string[]): Promise<string> {
  // Git refuses a clone that belongs to another user, as in a container.
  const options = { cwd: root, maxBuffer: 100 * 2 ** 20 }
  return (await run('git', ['-c', 'safe.directory=*', ...args], options)).stdout
}

const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex')
