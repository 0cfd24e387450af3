import { reportNames } from '#domain/reports.ts'
import { type Finding, median, ms, printHead, printRow, times } from './findings.ts'
import { type Cost, compare, cpuMs } from './measure/compare.ts'
import { type Load, load } from './measure/load.ts'
import { type Row, signInCalls } from './rows.ts'
import type { Limit, Stage } from './stage.ts'

/** Compares each call with its limit and prints a line for it. @returns how many goals are missed */
export async function measureCalls(stage: Stage, limit: Limit, rows: readonly Row[]): Promise<number> {
  if (rows.length === 0) return 0
  const cpuHead = 'CPU ms a call, server + PostgreSQL'
  printHead('operation', 'of the limit', 'goal', cpuHead, 'at the limit', 'calls/s', 'p50 ms', 'p99 ms')
  let missed = 0
  for (const row of rows) if (!(await measureRow(stage, limit, row))) missed++
  return missed
}

async function measureRow({ url, product }: Stage, limit: Limit, row: Row): Promise<boolean> {
  const { total, connections = 8, goal } = row
  const measured = await compare(
    { load: { url, call: row.product, total, connections }, processes: product },
    { load: { ...row.limit, total, connections }, processes: limit.processes },
  )
  const ratio = cpuMs(measured.limit) / cpuMs(measured.product)
  const reached = goal === undefined || ratio >= goal
  const { perSecond, p50, p99 } = measured.product
  const cells = [
    row.name,
    ratio.toFixed(2),
    goal === undefined ? '' : `≥ ${goal.toFixed(2)}`,
    cpu(measured.product),
    cpu(measured.limit),
    perSecond.toFixed(0),
    p50.toFixed(1),
    p99.toFixed(1),
  ]
  printRow(cells, reached)
  return reached
}

function cpu({ serverMs, postgresMs }: Cost): string {
  return `${serverMs.toFixed(2)} + ${postgresMs.toFixed(2)}`
}

/** The server refuses more simultaneous sign-ins than this. */
const SIGNING_IN = 200
const ROUNDS = 3

export const CROWD = `other requests while ${SIGNING_IN} sign in at once`

/** How long lists take while many people sign in, compared with lists alone, in turns. */
export async function measureCrowd(stage: Stage): Promise<Finding> {
  const { url, sellers } = stage
  const [seller] = await sellers(1)
  const headers = { cookie: seller?.cookie ?? '' }
  const others = { url, call: () => ({ path: '/api/user/gift-cards', headers }), connections: 4 }
  const call = await signInCalls(stage, SIGNING_IN)
  const crowd = { url, call, total: SIGNING_IN, connections: SIGNING_IN }
  await load({ ...others, total: 100 })
  const [alone, beside]: [number[], number[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    alone.push((await load({ ...others, total: 400 })).p99)
    beside.push(await p99Beside(others, crowd))
  }
  const slower = median(beside) / median(alone)
  return {
    what: `p99 of ${CROWD}`,
    measured: ms(median(beside)),
    limit: `${ms(median(alone))} without them: ${times(slower)}`,
    goal: '≤ 3×',
    reached: slower <= 3,
  }
}

export const REPORTS = 'the slowest report of a year by day'

/** How long the slowest report takes, from the first time it is asked for. */
export async function measureReports({ url, staff }: Stage, submissions: number): Promise<Finding> {
  const today = Date.now()
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
  const range = new URLSearchParams({ from: dayOf(today - 364 * DAY_MS), to: dayOf(today), by: 'day' })
  const times: [number, string][] = []
  for (const name of reportNames) {
    const call = () => ({ path: `/api/admin/reports/${name}?${range}`, headers: staff })
    times.push([(await load({ url, call, total: 1, connections: 1 })).p50, name])
  }
  const [slowest, name] = times.reduce((most, each) => (each[0] > most[0] ? each : most))
  return {
    what: `${REPORTS}, over ${submissions.toLocaleString('en')} submissions`,
    measured: `${ms(slowest)} (${name})`,
    goal: '≤ 3000 ms',
    reached: slowest <= 3000,
  }
}

const DAY_MS = 24 * 3600 * 1000

async function p99Beside(others: Omit<Load, 'total'>, crowd: Load): Promise<number> {
  const over = new AbortController()
  const measured = load({ ...others, total: Number.POSITIVE_INFINITY, signal: over.signal })
  await load(crowd).finally(() => over.abort())
  return (await measured).p99
}
