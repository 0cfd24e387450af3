import { join } from 'node:path'
import { printHead, printRow, slope } from './findings.ts'
import { cpuMs, measure } from './measure/compare.ts'
import type { Call } from './measure/load.ts'
import { backAndForth, LISTED, listPath, MOVABLE, moveCall, searchedTexts } from './rows.ts'
import { type Stage, setStage } from './stage.ts'

const CALLS = 100
const ROUNDS = 3
/** A list must cost almost the same at any size. */
const LIST_SLOPE = 0.1
/** A search may cost twice as much for ten times the data. */
const SEARCH_SLOPE = Math.log10(2)

interface Operation {
  readonly name: string
  readonly goal?: number
  readonly call: (turn: number) => Call
}

/** Measures the same operations on more and more data. @returns how many goals are missed */
export async function measureGrowth(
  sizes: readonly number[],
  folder: string | undefined,
  only: string,
): Promise<number> {
  const measured = new Map<string, { goal: number | undefined; costs: [number, number][] }>()
  for (const size of sizes) {
    const stage = await setStage(size, folder && join(folder, String(size)))
    try {
      for (const { name, goal, call } of (await operations(stage)).filter((operation) =>
        operation.name.includes(only),
      )) {
        const known = measured.get(name) ?? { goal, costs: [] }
        measured.set(name, known)
        known.costs.push([size, await cheapest(stage, call)])
      }
    } finally {
      await stage.end()
    }
  }
  printHead('CPU ms a call, of', ...sizes.map((size) => size.toLocaleString('en')), 'slope', 'goal')
  let missed = 0
  for (const [name, { goal, costs }] of measured) {
    const grows = slope(costs)
    const reached = goal === undefined || grows <= goal
    if (!reached) missed++
    const cells = [name, ...costs.map(([, cost]) => cost.toFixed(2)), grows.toFixed(2)]
    printRow([...cells, goal === undefined ? '' : `≤ ${goal.toFixed(2)}`], reached)
  }
  return missed
}

async function operations(stage: Stage): Promise<Operation[]> {
  const { pool, staff: headers } = stage
  const { rows } = await pool.query(
    `SELECT
       (SELECT json_agg(card) FROM (
         SELECT id, version FROM gift_cards WHERE ${MOVABLE} ORDER BY id LIMIT 280
       ) AS card) AS cards,
       (SELECT id FROM gift_cards WHERE cleared_at IS NULL ORDER BY id LIMIT 1 OFFSET 200) AS middle`,
  )
  const next = backAndForth(rows[0].cards)
  const [seller] = await stage.sellers(1)
  const get = (path: string, who: { cookie: string } | undefined) => () => ({
    path,
    headers: { cookie: who?.cookie ?? '' },
  })
  const texts = Object.entries(await searchedTexts(stage))
  return [
    { name: 'staff list, status and brand', goal: LIST_SLOPE, call: get(listPath(LISTED), headers) },
    {
      name: 'staff list, far down',
      goal: LIST_SLOPE,
      call: get(listPath({ cursor: rows[0].middle }), headers),
    },
    ...texts.map(([name, q]) => ({
      name: `search by ${name}`,
      goal: SEARCH_SLOPE,
      call: get(listPath({ q }), headers),
    })),
    { name: 'a seller’s transactions', goal: LIST_SLOPE, call: get('/api/my-transactions', seller) },
    { name: 'counts of the queue', goal: LIST_SLOPE, call: get('/api/admin/queue', headers) },
    { name: 'due payouts', goal: LIST_SLOPE, call: get('/api/admin/payouts?state=due&limit=25', headers) },
    { name: 'paid payouts', goal: LIST_SLOPE, call: get('/api/admin/payouts?state=paid&limit=25', headers) },
    { name: 'status move', goal: LIST_SLOPE, call: () => moveCall(stage, next()) },
  ]
}

async function cheapest({ url, product }: Stage, call: Operation['call']): Promise<number> {
  const options = { url, call, total: CALLS, connections: 4 }
  const costs: number[] = []
  await measure({ ...options, total: CALLS / 4 }, product)
  for (let round = 0; round < ROUNDS; round++) costs.push(cpuMs(await measure(options, product)))
  return Math.min(...costs)
}
