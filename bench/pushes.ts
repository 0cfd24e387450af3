import type pg from 'pg'
import type WebSocket from 'ws'
import { type Finding, ms, times } from './findings.ts'
import { cpuOf } from './measure/cpu.ts'
import { slope } from './measure/slope.ts'
import { openSocket } from './measure/sockets.ts'
import type { Limit, SignedInSeller, Stage } from './stage.ts'

const CROWDS = [10, 100, 1_000, 5_000]
const PUSHES = 3_000

/** What a push to one seller costs while others are connected, and one to many staff. */
export async function pushAmong(stage: Stage, limit: Limit): Promise<Finding[]> {
  const sellers = await stage.sellers(CROWDS.at(-1) ?? 0)
  const [audience, ...others] = sellers
  if (!audience) throw new Error('There are no sellers')
  const listener = await openSocket(stage.url, audience)
  const sockets: WebSocket[] = [listener]
  const costs: [number, number][] = []
  for (const crowd of CROWDS.filter((size) => size <= sellers.length)) {
    await openMore(stage.url, sockets, others, crowd)
    const rounds = []
    for (let round = 0; round < 3; round++) rounds.push(await costOfPush(stage, listener, audience))
    costs.push([crowd, Math.min(...rounds)])
  }
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
  ]
}

async function openMore(url: string, sockets: WebSocket[], from: readonly SignedInSeller[], until: number) {
  while (sockets.length < until) {
    const next = from.slice(sockets.length - 1, Math.min(sockets.length + 49, until - 1))
    sockets.push(...(await Promise.all(next.map((seller) => openSocket(url, seller)))))
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

/** One push to many, beside a bare ws that sends each of as many sockets the same text. */
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

/** Notifies so many times, each time another text, as PostgreSQL drops repetitions; until the last one is heard. */
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
