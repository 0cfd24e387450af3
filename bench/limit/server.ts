import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { hash } from '@node-rs/argon2'
import fastify from 'fastify'
import pg from 'pg'
import sharp from 'sharp'
import { WebSocketServer } from 'ws'

/**
 * The simplest code that does the same work: plain node:http and pg with the same statements, no validation, no framework.
 * Reads its settings as JSON and prints its address and that of a Fastify server with constant answers.
 */
export interface LimitSettings {
  readonly connection: pg.ClientConfig | string
  /** The server's statements of each list, by its address. */
  readonly statements: Readonly<Record<string, readonly { text: string; values: unknown[] }[]>>
  readonly brands: string
  /** Files by size. */
  readonly photos: Readonly<Record<string, readonly string[]>>
}

const settings: LimitSettings = JSON.parse(process.env.LIMIT_SETTINGS ?? '{}', (_key, value) =>
  // How JSON represents a Buffer.
  value?.type === 'Buffer' ? Buffer.from(value.data) : value,
)
const connection =
  typeof settings.connection === 'string' ? { connectionString: settings.connection } : settings.connection
const pool = new pg.Pool({ ...connection, max: 20 })
const brands = Buffer.from(settings.brands)

type Answer = (request: IncomingMessage, path: string) => Promise<Buffer | string>

const SESSION = `select a.id, a.username, s.expire from sessions s join administrators a on a.id = s.administrator_id
  where s.sid = $1 and s.expire > now() and a.disabled_at is null`

async function signedIn(request: IncomingMessage): Promise<string> {
  const token = /unspent_staff=([^;]+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
  const sid = createHash('sha256').update(token).digest('base64url')
  const { rows } = await pool.query({ name: 'session', text: SESSION, values: [sid] })
  if (rows.length !== 1) throw new Error('signed out')
  return rows[0].id
}

const list: Answer = async (request, path) => {
  await signedIn(request)
  const statements = settings.statements[path.replace('/limit', '')] ?? []
  // As in the server, list queries are prepared and search queries are planned each time.
  const once = (text: string) =>
    path.includes('q=') ? {} : { name: createHash('md5').update(text).digest('hex') }
  const results = await Promise.all(
    statements.map(({ text, values }) => pool.query({ ...once(text), text, values })),
  )
  return JSON.stringify(results.map(({ rows }) => rows))
}

const move: Answer = async (request, path) => {
  const staff = await signedIn(request)
  const [, , id = '', status = '', how] = path.split('/')
  if (how === 'whole') await wholeMove(pool, id, status, staff)
  else await bareMove(pool, id, status, how === 'push')
  return '{}'
}

const photos: Answer = async (_request, path) => {
  const [, , size = '', how] = path.split('/')
  return String(await reencode(settings.photos[size] ?? [], how === 'whole'))
}

const passwordHash: Answer = async () =>
  hash('long live the reviewer', { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 })

const answers: Readonly<Record<string, Answer>> = {
  '/limit': list,
  '/move': move,
  '/photos': photos,
  '/hash': passwordHash,
}

function serve(request: IncomingMessage, response: ServerResponse): void {
  const path = request.url ?? '/'
  const answer = answers[`/${path.split(/[/?]/)[1]}`]
  request.resume()
  answer?.(request, path).then(
    (body) => response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    (error) => response.writeHead(500).end(String(error)),
  )
}

/** Sends every push to every socket. */
async function pushToSockets(sockets: WebSocketServer): Promise<void> {
  const listener = new pg.Client(connection)
  await listener.connect()
  await listener.query('listen limit_push')
  listener.on('notification', ({ payload = '' }) => {
    for (const socket of sockets.clients) socket.send(payload)
  })
}

const WHOLE_MOVE = `
  with card as (
    select id, seller_id, brand, selling_price as price, status, version, $2::text as next,
      case when $2 = 'completed' then 1 else -1 end as sign
    from gift_cards where id = $1 for update
  ), moved as (
    update gift_cards set status = next, version = card.version + 1, updated_at = now() from card
    where gift_cards.id = card.id
  ), told as (
    insert into status_history (gift_card_id, version, from_status, to_status, by_kind, by_id)
    select id, version + 1, status, next, 'staff', $3 from card
  ), paid as (
    update transactions set buyer_id = case when next = 'completed' then $3::uuid end from card where gift_card_id = card.id
  ), counted as (
    update users set trade_count = trade_count + sign from card where users.id = seller_id
  ), payout as (
    update payouts set state = case when next = 'completed' then 'paid' else 'due' end from card
    where gift_card_id = card.id and payouts.state in ('due', 'paid') returning payouts.id, 'cash:' || payment_type as cash
  ), entered as (
    insert into inventory (gift_card_id, seller_id, brand, cost) select id, seller_id, brand, price from card where next = 'completed'
    on conflict do nothing
  ), went as (
    delete from inventory using card where gift_card_id = card.id and next = 'processing'
  ), entries as (
    insert into ledger_entries (event, gift_card_id, payout_id)
    select event || case when sign < 0 then '_undone' else '' end, card.id, payout.id
    from card, payout, unnest(array['paid', 'stocked']) as event returning id, event like 'paid%' as is_paid
  ), lines as (
    insert into ledger_lines (entry_id, line, account, amount)
    select entries.id, line, account, amount * sign * price from card, payout, entries, lateral (
      values (1, case when is_paid then 'payouts_payable' else 'stock' end, 1), (2, case when is_paid then cash else 'incoming' end, -1)
    ) as lines (line, account, amount)
  ), mailed as (
    insert into jobs (id, kind, key, payload, done_at)
    select gen_random_uuid(), 'statusMail', id || ':' || version + 1, jsonb_build_object('giftCardId', id), now() from card
  ), audited as (
    insert into audit_pending (id, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, details)
    select hashtextextended(gen_random_uuid()::text, 0), 'staff', $3, 'admin', 'submission.moved', 'submission', id,
      jsonb_build_object('from', status, 'to', next) from card
  )
  select pg_notify('limit_push', id::text) from card`

/** A move as a single update. */
async function bareMove(pool: pg.Pool, id: string, status: string, push: boolean): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query({
      name: 'move',
      text: 'update gift_cards set status = $2, version = version + 1, updated_at = now() where id = $1',
      values: [id, status],
    })
    if (push) await client.query(`select pg_notify('limit_push', $1)`, [id])
  })
}

/** A move with every row that the server writes for it, and the push. */
async function wholeMove(pool: pg.Pool, id: string, status: string, by: string): Promise<void> {
  await inTransaction(pool, async (client) => {
    await client.query({ name: 'whole_move', text: WHOLE_MOVE, values: [id, status, by] })
  })
}

async function inTransaction(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<unknown>,
): Promise<void> {
  const client = await pool.connect()
  await client.query('begin')
  await work(client)
  await client.query('commit')
  client.release()
}

/**
 * Decodes, encodes and seals photos one after the other, without checking or storing them.
 * @param whole also makes the thumbnail and the likeness
 */
async function reencode(paths: readonly string[], whole: boolean): Promise<number> {
  let bytes = 0
  for (const path of paths) {
    const image = await sharp(await readFile(path))
      .autoOrient()
      .jpeg({ quality: 85, optimiseCoding: false })
      .toBuffer()
    bytes += sealed(image)
    if (whole) bytes += await thumbnailAndLikeness(image)
  }
  return bytes
}

async function thumbnailAndLikeness(image: Buffer): Promise<number> {
  const { data, info } = await sharp(image)
    .resize({ width: 320, height: 320, fit: 'inside' })
    .raw()
    .toBuffer({ resolveWithObject: true })
  const small = () => sharp(data, { raw: info })
  const grays = await small()
    .greyscale()
    .resize({ width: 72, height: 64, fit: 'fill' })
    .blur(4)
    .raw()
    .toBuffer()
  return grays.length + sealed(await small().jpeg({ quality: 80, optimiseCoding: false }).toBuffer())
}

function sealed(bytes: Buffer): number {
  const cipher = createCipheriv('aes-256-gcm', randomBytes(32), randomBytes(12))
  return cipher.update(bytes).length + cipher.final().length
}

const server = createServer(serve)
await pushToSockets(new WebSocketServer({ server }))
server.listen(0, '127.0.0.1')
const constant = fastify()
constant.get('/healthz', async () => ({ status: 'alive' }))
constant.get('/brands', async (_request, reply) => reply.type('application/json').send(brands))
const constantUrl = await constant.listen({ port: 0, host: '127.0.0.1' })
const address = server.address()
const url = `http://127.0.0.1:${typeof address === 'object' && address?.port}`
process.stdout.write(`${JSON.stringify({ url, constantUrl })}\n`)
process.on('SIGTERM', () => process.exit(0))
