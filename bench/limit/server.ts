import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { hash } from '@node-rs/argon2'
import fastify from 'fastify'
import pg from 'pg'
import { WebSocketServer } from 'ws'
import { bareMove, wholeMove } from './move.ts'
import { reencode } from './photos.ts'

/**
 * What the same work costs at least: plain node:http and pg, the same statements, no validation, no framework. Its
 * settings come as JSON; it prints its address, and that of a Fastify that answers a constant.
 */
export interface LimitSettings {
  readonly connection: pg.ClientConfig | string
  /** Statements of each list by its address, as the product sends them. */
  readonly statements: Readonly<Record<string, readonly { text: string; values: unknown[] }[]>>
  readonly brands: string
  /** Files by the name of their size. */
  readonly photos: Readonly<Record<string, readonly string[]>>
}

const settings: LimitSettings = JSON.parse(process.env.LIMIT_SETTINGS ?? '{}', (_key, value) =>
  // Bytes went through JSON.
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
  // Without a text to search for, one plan fits all: it is made once.
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

/** Every socket hears every push. */
async function pushToSockets(sockets: WebSocketServer): Promise<void> {
  const listener = new pg.Client(connection)
  await listener.connect()
  await listener.query('listen limit_push')
  listener.on('notification', ({ payload = '' }) => {
    for (const socket of sockets.clients) socket.send(payload)
  })
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
