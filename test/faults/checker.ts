import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { type Mover, moves, type Status } from '#domain/submission.ts'
import { verifyAuditLog } from '#server/features/audit/verify.ts'
import { verifyLedger } from '#server/features/books/verify.ts'
import { createDatabase } from '#server/platform/database/pool.ts'
import { collectPhotos } from '#server/platform/photos/intents.ts'
import { MARK, type PhotoStorage } from '#server/platform/photos/storage.ts'
import type { Acknowledgements } from './acknowledgements.ts'
import { CANARY, PIN_CANARY } from './load.ts'

export interface Evidence {
  readonly pool: pg.Pool
  readonly storage: PhotoStorage
  /** Lists the names of all files in the store. */
  readonly stored: () => Promise<readonly string[]>
  readonly acknowledgements: Acknowledgements
  /** Folders that must not contain a secret. */
  readonly folders: readonly string[]
}

/** Compares the data with the acknowledgements. Returns what is wrong, in words. */
export async function check({
  pool,
  storage,
  stored,
  acknowledgements,
  folders,
}: Evidence): Promise<string[]> {
  return (
    await Promise.all([
      lostSubmissions(pool, acknowledgements),
      lostMessages(pool, acknowledgements),
      lostMoves(pool, acknowledgements),
      brokenHistories(pool),
      brokenTransactions(pool),
      wrongMailJobs(pool),
      brokenAudit(pool),
      brokenBooks(pool),
      strayPhotos(pool, storage, stored),
      ...folders.map(leaksBelow),
    ])
  ).flat()
}

async function lostSubmissions(pool: pg.Pool, acknowledgements: Acknowledgements): Promise<string[]> {
  const { rows } = await pool.query<{ id: string; transaction: string; key: string }>(
    `SELECT g.id, t.id AS transaction, g.idempotency_key AS key FROM gift_cards g
     JOIN transactions t ON t.gift_card_id = g.id`,
  )
  const there = new Map(rows.map((row) => [row.id, row]))
  const keys = new Set(rows.map(({ key }) => key))
  return [
    ...acknowledgements
      .of('submission')
      .filter(({ id, transactionId }) => there.get(id)?.transaction !== transactionId)
      .map(({ id }) => `the submission ${id} was acknowledged and is lost`),
    ...(keys.size < rows.length ? ['one key created two submissions'] : []),
  ]
}

async function lostMessages(pool: pg.Pool, acknowledgements: Acknowledgements): Promise<string[]> {
  const { rows } = await pool.query<{ client_id: string; message: string; copies: string }>(
    'SELECT client_id, message, count(*) AS copies FROM chat_messages GROUP BY client_id, message',
  )
  const there = new Map(rows.map((row) => [row.client_id, row]))
  return acknowledgements
    .of('message')
    .filter(
      ({ clientId, text }) => there.get(clientId)?.message !== text || there.get(clientId)?.copies !== '1',
    )
    .map(({ clientId }) => `the message ${clientId} was acknowledged and is lost or stored twice`)
}

async function lostMoves(pool: pg.Pool, acknowledgements: Acknowledgements): Promise<string[]> {
  const { rows } = await pool.query<{ id: string; version: number; to: string }>(
    'SELECT gift_card_id AS id, version, to_status AS to FROM status_history',
  )
  const there = new Map(rows.map(({ id, version, to }) => [`${id}:${version}`, to]))
  return acknowledgements
    .of('move')
    .filter(({ id, version, to }) => there.get(`${id}:${version}`) !== to)
    .map(
      ({ id, version, to }) => `the move of ${id} to ${to} (version ${version}) was acknowledged and is lost`,
    )
}

interface HistoryRow {
  id: string
  version: number
  from: Status | null
  to: Status
  by: Mover
  /** Null in the first entry and in those of earlier versions. */
  name: string | null
  status: Status
  current: number
}

/** A history must be a chain of moves that the status table allows, and end in the submission's status. */
async function brokenHistories(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<HistoryRow>(
    `SELECT g.id, h.version, h.from_status AS from, h.to_status AS to, h.by_kind AS by, h.move AS name, g.status,
       g.version AS current
     FROM gift_cards g LEFT JOIN status_history h ON h.gift_card_id = g.id ORDER BY g.id, h.version`,
  )
  return [...Map.groupBy(rows, ({ id }) => id).values()].flatMap((history) => {
    const broken = history.find((row, index) => !follows(row, history[index - 1], index))
    const last = history.at(-1)
    const ends = last?.to === last?.status && last?.version === last?.current
    return broken || !ends ? [`the history of ${last?.id} is broken: ${JSON.stringify(history)}`] : []
  })
}

function follows(row: HistoryRow, before: HistoryRow | undefined, index: number): boolean {
  if (row.version !== index + 1) return false
  if (!before) return row.from === null && row.to === 'pending'
  if (row.from !== before.to) return false
  const moveOf = ({ from, to, by, name }: HistoryRow) =>
    moves.find(
      (move) => move.from === from && move.to === to && move.by === by && move.name === (name ?? move.name),
    )
  if (row.name === 'undo') return row.by === 'staff' && row.to === before.from && !!moveOf(before)?.undoable
  return moveOf(row) !== undefined
}

/** The price is the quoted one until the seller accepts an offer, and the payout is the price. */
async function brokenTransactions(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT coalesce(g.id, t.gift_card_id) AS id FROM gift_cards g
     FULL JOIN transactions t ON t.gift_card_id = g.id
     LEFT JOIN status_history h ON h.gift_card_id = g.id AND h.move = 'accept'
     WHERE g.id IS NULL OR t.id IS NULL OR t.seller_id <> g.seller_id OR t.amount <> g.selling_price
       OR g.selling_price <> coalesce(h.amount, g.quoted_price)
       OR (g.status = 'completed') <> (t.buyer_id IS NOT NULL)`,
  )
  return rows.map(({ id }) => `submission and transaction of ${id} do not agree`)
}

/** Each entry of the history has one email: the submission itself, and each move that was not undone. */
async function wrongMailJobs(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT coalesce(j.key, h.gift_card_id || ':' || h.version) AS name
     FROM (
       SELECT *, lead(move) OVER (PARTITION BY gift_card_id ORDER BY version) AS next FROM status_history
     ) h
     FULL JOIN (SELECT * FROM jobs WHERE kind = 'statusMail') j ON j.key = h.gift_card_id || ':' || h.version
     WHERE (j.key IS NULL) <> (h.version IS NULL OR coalesce('undo' IN (h.move, h.next), false))`,
  )
  return rows.map(({ name }) => `the move ${name} lacks its mail, or the mail its move`)
}

async function brokenAudit(pool: pg.Pool): Promise<string[]> {
  const verdict = await verifyAuditLog(createDatabase(pool))
  return verdict.intact ? [] : [`the audit log is broken: entry ${verdict.entry} ${verdict.problem}`]
}

async function brokenBooks(pool: pg.Pool): Promise<string[]> {
  const { problems } = await verifyLedger(createDatabase(pool))
  return problems.map((problem) => `the books do not agree: ${problem}`)
}

/** Lists the names of the photos in a folder. */
export async function photosIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile() && entry.name !== MARK).map(({ name }) => name)
}

/** After collecting, every file must have a row, and every row a file. */
async function strayPhotos(
  pool: pg.Pool,
  storage: PhotoStorage,
  listStored: Evidence['stored'],
): Promise<string[]> {
  const db = createDatabase(pool)
  const before = new Date(Date.now() + 60_000)
  await collectPhotos({ db, photos: storage, before })
  const { rows } = await pool.query<{ name: string }>(
    'SELECT name FROM photos UNION ALL SELECT thumbnail_name FROM photos',
  )
  const named = new Set(rows.map(({ name }) => name))
  const stored = new Set(await listStored())
  return [
    ...[...named]
      .filter((name) => !stored.has(name))
      .map((name) => `the photo ${name} has a row and no file`),
    ...[...stored]
      .filter((name) => !named.has(name))
      .map((name) => `the photo ${name} has a file and no row`),
  ]
}

async function leaksBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const leaks: string[] = []
  for (const file of files) if (await holdsSecret(file)) leaks.push(`${file} holds a card number or PIN`)
  return leaks
}

/** Reads overlapping chunks, so that no secret is hidden at the border between two. */
async function holdsSecret(file: string): Promise<boolean> {
  let tail = ''
  try {
    for await (const chunk of createReadStream(file, { encoding: 'latin1' })) {
      const text = tail + chunk
      if (text.includes(CANARY) || text.includes(PIN_CANARY)) return true
      tail = text.slice(-CANARY.length)
    }
  } catch {
    // PostgreSQL may remove files during the search.
  }
  return false
}
