import { once } from 'node:events'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type WebSocket from 'ws'
import { type Finding, median, ms, times } from './findings.ts'
import { send } from './measure/load.ts'
import { openSocket } from './measure/sockets.ts'
import { backAndForth } from './rows.ts'
import type { Limit, Stage } from './stage.ts'

const MOVES = 150
/** From the press of a button by staff to what the seller's page hears, beside a bare update that is pushed. */
export async function moveToSocket({ url, pool, staff, sellers }: Stage, limit: Limit): Promise<Finding> {
  const { rows } = await pool.query(
    `SELECT id, version, seller_id AS seller FROM gift_cards WHERE status = 'completed' AND cleared_at IS NULL
     AND seller_id = (SELECT seller_id FROM gift_cards WHERE status = 'completed' AND cleared_at IS NULL
       GROUP BY 1 HAVING count(*) > 3 ORDER BY 1 LIMIT 1) ORDER BY id LIMIT 4`,
  )
  const [seller] = await sellers([rows[0].seller])
  const [mine, its] = [backAndForth(rows.slice(0, 2)), backAndForth(rows.slice(2))]
  const heard = await openSocket(url, seller)
  const bare = await openSocket(limit.url)
  const agent = new Agent({ keepAlive: true })
  const headers = { ...staff, 'content-type': 'application/json' }
  const [product, alone]: [number[], number[]] = [[], []]
  for (let turn = 0; turn < MOVES; turn++) {
    const { id, ...body } = mine()
    const path = `/api/admin/submissions/${id}/status`
    product.push(
      await untilHeard(heard, () =>
        send({ agent, ...address(url), method: 'PATCH', path, headers }, JSON.stringify(body)),
      ),
    )
    await mailed(pool)
    const other = its()
    const bareAt = {
      agent,
      ...address(limit.url),
      path: `/move/${other.id}/${other.status}/push`,
      headers: staff,
    }
    alone.push(await untilHeard(bare, () => send(bareAt, undefined)))
  }
  for (const socket of [heard, bare]) socket.terminate()
  agent.destroy()
  // The first ones are compiled and planned.
  const [own, bound] = [median(product.slice(20)), median(alone.slice(20))]
  return {
    what: 'status move to the seller’s socket, p50',
    measured: ms(own),
    limit: `${ms(bound)} update, NOTIFY and ws: ${times(own / bound)}`,
    goal: '≤ 1.3×',
    reached: own / bound <= 1.3,
  }
}

async function untilHeard(socket: WebSocket, ask: () => Promise<number>): Promise<number> {
  const message = once(socket, 'message')
  const from = performance.now()
  const answered = ask()
  await message
  const took = performance.now() - from
  if ((await answered) !== 200) throw new Error('A move was refused')
  return took
}

/** The mail about a move is written after it, and would be in the way of the next one. */
async function mailed(pool: pg.Pool): Promise<void> {
  const waiting = 'SELECT 1 FROM jobs WHERE done_at IS NULL AND failed_at IS NULL LIMIT 1'
  while ((await pool.query(waiting)).rowCount) await sleep(2)
}

function address(url: string) {
  const { hostname, port } = new URL(url)
  return { hostname, port }
}
