import { once } from 'node:events'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import WebSocket from 'ws'
import { memoryOf } from '#test/processes.ts'
import { type Finding, median, ms, slope, times } from './findings.ts'
import { cpuOf } from './measure/cpu.ts'
import { send } from './measure/load.ts'
import { backAndForth, MOVABLE, moveCall } from './rows.ts'
import type { Limit, SignedInSeller, Stage } from './stage.ts'

const MOVES = 150

/**
 * The time from a move by staff to the push to the seller, compared with a bare update and push.
 * @param peer changes a card at another product, and returns the milliseconds until its push
 */
export async function moveToSocket(
  { url, pool, staff, sellers }: Stage,
  limit: Limit,
  peer?: () => Promise<number>,
): Promise<Finding[]> {
  const { rows } = await pool.query(
    `SELECT id, version, seller_id AS seller FROM gift_cards WHERE ${MOVABLE}
     AND seller_id = (SELECT seller_id FROM gift_cards WHERE ${MOVABLE}
       GROUP BY 1 HAVING count(*) > 3 ORDER BY 1 LIMIT 1) ORDER BY id LIMIT 4`,
  )
  const [seller] = await sellers([rows[0].seller])
  const [ownMoves, limitMoves] = [backAndForth(rows.slice(0, 2)), backAndForth(rows.slice(2))]
  const socket = await openSocket(url, seller)
  const bare = await openSocket(limit.url)
  const agent = new Agent({ keepAlive: true })
  const [product, alone, others]: [number[], number[], number[]] = [[], [], []]
  for (let turn = 0; turn < MOVES; turn++) {
    const { body, ...call } = moveCall({ staff }, ownMoves())
    product.push(await untilPushed(socket, () => send({ agent, ...address(url), ...call }, body)))
    await mailSent(pool)
    const other = limitMoves()
    const bareAt = {
      agent,
      ...address(limit.url),
      path: `/move/${other.id}/${other.status}/push`,
      headers: staff,
    }
    alone.push(await untilPushed(bare, () => send(bareAt, undefined)))
    if (peer) others.push(await peer())
  }
  for (const open of [socket, bare]) open.terminate()
  agent.destroy()
  // Skips the first moves, during which code is compiled and queries are planned.
  const warm = (times: readonly number[]) => median(times.slice(20))
  const [own, bound] = [warm(product), warm(alone)]
  const what = 'status move to the seller’s socket, p50'
  const finding = {
    what,
    measured: ms(own),
    limit: `${ms(bound)} update, NOTIFY and ws: ${times(own / bound)}`,
  }
  if (!peer) return [finding]
  const its = warm(others)
  const beside = `${ms(its)} Parse Server’s live query: ${times(own / its)}`
  return [finding, { what, measured: ms(own), limit: beside, goal: '≤ 1×', reached: own <= its }]
}

/** Milliseconds until the socket gets a message. */
export async function untilPushed(
  socket: WebSocket,
  ask: () => Promise<{ status: number }>,
): Promise<number> {
  const message = once(socket, 'message')
  const from = performance.now()
  const answered = ask()
  await message
  const took = performance.now() - from
  if ((await answered).status !== 200) throw new Error('A move was refused')
  return took
}

/** Waits for the mail about a move, which would disturb the next one. */
async function mailSent(pool: pg.Pool): Promise<void> {
  const waiting = 'SELECT 1 FROM jobs WHERE done_at IS NULL AND failed_at IS NULL LIMIT 1'
  while ((await pool.query(waiting)).rowCount) await sleep(2)
}

function address(url: string) {
  const { hostname, port } = new URL(url)
  return { hostname, port }
}

const CROWDS = [10, 100, 1_000, 5_000]
const PUSHES = 3_000

/** The cost of a push to one seller while others are connected, and of a push to many staff. */
export async function pushAmong(stage: Stage, limit: Limit): Promise<Finding[]> {
  const sellers = await stage.sellers(CROWDS.at(-1) ?? 0)
  const [audience, ...others] = sellers
  if (!audience) throw new Error('There are no sellers')
  const listener = await openSocket(stage.url, audience)
  const sockets: WebSocket[] = [listener]
  const costs: [number, number][] = []
  for (const crowd of CROWDS) {
    await openMore(stage.url, sockets, others, crowd)
    const rounds = []
    for (let round = 0; round < 3; round++) rounds.push(await costOfPush(stage, listener, audience))
    costs.push([crowd, Math.min(...rounds)])
  }
  const memory = memoryOf(stage.product.server)
  for (const socket of sockets) socket.terminate()
  const grows = slope(costs)
  const broadcast = await pushToStaff(stage, limit)
  return [
    {
      what: `push to one seller, with ${costs.map(([crowd]) => crowd).join(', ')} sockets open: CPU of the server`,
      measured: `${costs.map(([, cost]) => cost.toFixed(3)).join(', ')} ms; slope ${grows.toFixed(2)}`,
      goal: 'slope ≤ 0.10',
      reached: grows <= 0.1,
    },
    broadcast,
    {
      what: `memory of the server with ${CROWDS.at(-1)?.toLocaleString('en')} sockets`,
      measured: `${memory.toFixed(0)} MB`,
      goal: '≤ 250 MB',
      reached: memory <= 250,
    },
  ]
}

async function openMore(url: string, sockets: WebSocket[], from: readonly SignedInSeller[], until: number) {
  while (sockets.length < until) {
    // With fewer sellers than sockets, each has several.
    const next = Array.from({ length: Math.min(50, until - sockets.length) }, (_, index) =>
      openSocket(url, from[(sockets.length + index) % from.length]),
    )
    sockets.push(...(await Promise.all(next)))
  }
}

async function costOfPush({ pool, product }: Stage, listener: WebSocket, { id }: SignedInSeller) {
  const deliver = [{ to: { userId: id }, message: { type: 'STATUS_UPDATE', userId: id } }]
  const before = cpuOf(product.server)
  await notify(pool, 'unspent_live', { deliver }, listener, PUSHES)
  return (cpuOf(product.server) - before) / PUSHES
}

const STAFF_SOCKETS = 500
const BROADCASTS = 60

/** The cost of a push to many sockets, compared with a bare ws server. */
async function pushToStaff({ url, pool, product, staff }: Stage, limit: Limit): Promise<Finding> {
  const opened = async (at: string, headers?: { cookie: string }) => {
    const sockets: WebSocket[] = []
    while (sockets.length < STAFF_SOCKETS) {
      sockets.push(...(await Promise.all(Array.from({ length: 50 }, () => openSocket(at, headers)))))
    }
    return sockets
  }
  const deliver = [{ to: 'staff', message: { type: 'STATUS_UPDATE' } }]
  const measure = async (sockets: readonly WebSocket[], server: number, channel: string, payload: object) => {
    const last = sockets.at(-1)
    if (!last) throw new Error('No socket is open')
    const rounds = []
    for (let round = 0; round < 3; round++) {
      const before = cpuOf(server)
      await notify(pool, channel, payload, last, BROADCASTS)
      rounds.push((cpuOf(server) - before) / BROADCASTS)
    }
    return Math.min(...rounds)
  }
  const [mine, its] = [await opened(url, staff), await opened(limit.url)]
  const own = await measure(mine, product.server, 'unspent_live', { deliver })
  const bound = await measure(its, limit.processes.server, 'limit_push', { type: 'STATUS_UPDATE' })
  for (const socket of [...mine, ...its]) socket.terminate()
  return {
    what: `push to ${STAFF_SOCKETS} sockets of staff: CPU of the server`,
    measured: ms(own),
    limit: `${ms(bound)} ws alone: ${times(own / bound)}`,
  }
}

/** Sends notifications until the listener has received all. Each text differs, because PostgreSQL drops repetitions. */
async function notify(pool: pg.Pool, channel: string, payload: object, listener: WebSocket, pushes: number) {
  let missing = pushes
  const all = new Promise<void>((resolve) => {
    listener.on('message', () => {
      missing -= 1
      if (missing === 0) resolve()
    })
  })
  const text = JSON.stringify(payload).slice(1)
  await pool.query(`SELECT pg_notify($1, '{"n":' || n || ',' || $2) FROM generate_series(1, $3::int) AS n`, [
    channel,
    text,
    pushes,
  ])
  await all
  listener.removeAllListeners('message')
}

async function openSocket(url: string, headers?: { cookie: string }): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, {
    headers: headers && { cookie: headers.cookie },
    perMessageDeflate: false,
  })
  await once(socket, 'open')
  return socket
}
