import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import type pg from 'pg'
import WebSocket from 'ws'
import { startEmbedded } from '#server/platform/database/embedded.ts'
import { createPool } from '#server/platform/database/pool.ts'
import { type Finding, ms, say, times } from '../findings.ts'
import { untilPushed } from '../live.ts'
import { compare, cpuMs, type Processes } from '../measure/compare.ts'
import { type Call, send } from '../measure/load.ts'
import { LISTED, type Row } from '../rows.ts'
import type { Stage } from '../stage.ts'
import type { ParseSettings } from './parse-server.ts'

/** Exactly this release, so that runs can be compared. */
const PACKAGE = 'parse-server@9.10.0'
const FOLDER = join(import.meta.dirname, '../../dist/.peers')
const CLASS = 'GiftCard'
const USER = { username: 'reviewer', password: 'long live the reviewer' }

/** What a row of the staff's list shows, and where it comes from. */
const COLUMNS = {
  status: 'gift_cards.status',
  brand: 'gift_cards.brand',
  brandName: 'brand_name',
  denomination: 'denomination::text',
  sellingPrice: 'selling_price::text',
  quotedPrice: 'quoted_price::text',
  lastFour: 'card_number_last_four',
  format: 'card_format',
  condition: 'card_condition',
  paymentType: 'payment_type',
  accountHint: 'payment_account_hint',
  username: 'username',
  firstName: 'first_name',
  lastName: 'last_name',
  email: 'email',
  phoneNumber: 'phone_number',
} as const

/** A Parse Server with the same cards. It does less: no history, no books, no audit log and no mail. */
export interface Parse {
  readonly url: string
  readonly processes: Processes
  /** Of a signed-in user. */
  readonly headers: Readonly<Record<string, string>>
  /** Cards that can be changed. */
  readonly ids: readonly string[]
}

/** Compares rows of the bench with Parse Server, in turns. */
export async function measurePeers(stage: Stage, parse: Parse, rows: PeerRows): Promise<Finding[]> {
  const goals = { move: 1.5, list: 0.6, signIn: 1 }
  const calls = {
    move: (turn: number) => change(parse, turn),
    list: () => list(parse),
    signIn: () => signIn(),
  }
  const findings: Finding[] = []
  for (const name of ['move', 'list', 'signIn'] as const) {
    const { name: what, total, connections = 4, product } = rows[name]
    const load = { total, connections }
    const cost = await compare(
      { load: { ...load, url: stage.url, call: product }, processes: stage.product },
      { load: { ...load, url: parse.url, call: calls[name] }, processes: parse.processes },
    )
    const ratio = cpuMs(cost.product) / cpuMs(cost.limit)
    findings.push({
      what: `${what}, CPU`,
      measured: ms(cpuMs(cost.product)),
      limit: `${ms(cpuMs(cost.limit))} Parse Server: ${times(ratio)}`,
      goal: `≤ ${goals[name]}×`,
      reached: ratio <= goals[name],
    })
  }
  return findings
}

type PeerRows = Readonly<Record<'move' | 'list' | 'signIn', Row>>

const STATUSES = ['processing', 'completed']

/** A bare update: Parse writes the new status and the time. */
function change({ headers, ids }: Parse, turn: number): Call {
  const status = STATUSES[Math.floor(turn / ids.length) % 2]
  const path = `/parse/classes/${CLASS}/${ids[turn % ids.length]}`
  return { method: 'PUT', path, headers, body: JSON.stringify({ status }) }
}

function list({ headers }: Parse): Call {
  const query = { where: JSON.stringify(LISTED), order: '-createdAt', limit: '25', count: '1' }
  return { path: `/parse/classes/${CLASS}?${new URLSearchParams(query)}`, headers }
}

function signIn(): Call {
  return { method: 'POST', path: '/parse/login', headers: HEADERS, body: JSON.stringify(USER) }
}

const HEADERS = { 'x-parse-application-id': 'bench', 'content-type': 'application/json' }

/** @returns a function that changes a card and returns the milliseconds until a live query tells of it */
export async function parsePushes(parse: Parse, stack: AsyncDisposableStack): Promise<() => Promise<number>> {
  const socket = new WebSocket(parse.url.replace('http', 'ws'))
  await once(socket, 'open')
  stack.defer(() => socket.terminate())
  const ask = async (message: object) => {
    socket.send(JSON.stringify(message))
    const [answer] = await once(socket, 'message')
    if (String(answer).includes('"error"')) throw new Error(`Parse Server answered ${answer}`)
  }
  const sessionToken = parse.headers['x-parse-session-token']
  await ask({ op: 'connect', applicationId: 'bench', sessionToken })
  const [objectId = ''] = parse.ids
  await ask({ op: 'subscribe', requestId: 1, query: { className: CLASS, where: { objectId } }, sessionToken })
  const agent = new Agent({ keepAlive: true })
  stack.defer(() => agent.destroy())
  let turn = 0
  const { hostname, port } = new URL(parse.url)
  return () => {
    const { body, ...call } = change({ ...parse, ids: [objectId] }, turn++)
    return untilPushed(socket, () => send({ agent, hostname, port, ...call }, body))
  }
}

/** Installs Parse Server if it is not there yet, and starts it on its own PostgreSQL with the stage's cards. */
export async function startParse(stage: Stage, stack: AsyncDisposableStack): Promise<Parse> {
  await install()
  const dataDir = await mkdtemp(join(tmpdir(), 'unspent-bench-peer-'))
  stack.defer(() => rm(dataDir, { recursive: true, force: true }))
  const database = await startEmbedded({ dataDir, log: () => undefined })
  stack.defer(() => database.stop())
  const { url, pid } = await startServer(database.connection, stack)
  const pool = createPool({ connection: database.url, statementTimeout: 0, onError: () => undefined })
  stack.defer(() => pool.end())
  await fill(stage.pool, pool)
  const { rows } = await pool.query(
    `SELECT "objectId" AS id FROM "${CLASS}" WHERE status = 'completed' ORDER BY 1 LIMIT 100`,
  )
  const registered = await fetch(`${url}/parse/users`, {
    method: 'POST',
    headers: HEADERS,
    body: JSON.stringify(USER),
  })
  const { sessionToken } = (await registered.json()) as { sessionToken: string }
  return {
    url,
    processes: { server: pid, postgres: database.pid() },
    headers: { ...HEADERS, 'x-parse-session-token': sessionToken },
    ids: rows.map(({ id }) => id),
  }
}

async function install(): Promise<void> {
  if (existsSync(join(FOLDER, 'node_modules/parse-server'))) return
  say(`Installing ${PACKAGE} …`)
  await mkdir(FOLDER, { recursive: true })
  await writeFile(join(FOLDER, 'package.json'), '{ "private": true }')
  await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', '--ignore-scripts', PACKAGE], {
    cwd: FOLDER,
  })
}

async function startServer(
  databaseOptions: object,
  stack: AsyncDisposableStack,
): Promise<{ url: string; pid: number }> {
  const fields = Object.fromEntries(Object.keys(COLUMNS).map((name) => [name, { type: 'String' }]))
  const settings: ParseSettings = {
    folder: FOLDER,
    databaseOptions,
    masterKey: randomBytes(16).toString('hex'),
    className: CLASS,
    fields,
  }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'parse-server.ts')], {
    // It writes logs there.
    cwd: FOLDER,
    env: { ...process.env, PARSE_SETTINGS: JSON.stringify(settings) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  stack.defer(async () => {
    const ended = once(child, 'exit')
    if (child.kill()) await ended
  })
  // Warnings come first.
  for await (const line of createInterface(child.stdout)) {
    if (line.startsWith('{')) return { ...JSON.parse(line), pid: child.pid ?? 0 }
  }
  throw new Error('Parse Server did not start')
}

const BATCH = 5_000

/** Copies the cards, with the index that the list needs. */
async function fill(from: pg.Pool, to: pg.Pool): Promise<void> {
  const names = Object.keys(COLUMNS)
  const columns = ['"objectId"', '"createdAt"', '"updatedAt"', ...names.map((name) => `"${name}"`)].join()
  const values = Object.entries(COLUMNS).map(([name, column]) => `${column} AS "${name}"`)
  // Parse's ids are short texts.
  const id = `right(replace(gift_cards.id::text, '-', ''), 16)`
  let last = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const { rows } = await from.query(
      `SELECT gift_cards.id, ${id} AS "objectId", gift_cards.created_at AS "createdAt", updated_at AS "updatedAt", ${values.join()}
       FROM gift_cards JOIN users ON users.id = seller_id WHERE gift_cards.id > $1 ORDER BY gift_cards.id LIMIT ${BATCH}`,
      [last],
    )
    if (rows.length === 0) break
    last = rows.at(-1).id
    await to.query(
      `INSERT INTO "${CLASS}" (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::"${CLASS}", $1)`,
      [JSON.stringify(rows)],
    )
  }
  await to.query(`CREATE INDEX ON "${CLASS}" (status, brand, "createdAt" DESC)`)
  await to.query(`VACUUM ANALYZE "${CLASS}"`)
}
