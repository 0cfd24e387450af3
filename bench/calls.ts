import { say } from './findings.ts'
import { type Cost, compare, cpuMs } from './measure/compare.ts'
import type { Row } from './rows.ts'
import type { Limit, Stage } from './stage.ts'

/** Puts each call beside the least that it could cost, and prints a line for it. @returns how many goals are missed */
export async function measureCalls(stage: Stage, limit: Limit, rows: readonly Row[]): Promise<number> {
  if (rows.length === 0) return 0
  say(
    '\n| operation | of the limit | goal | CPU ms a call, server + PostgreSQL | at the limit | calls/s | p50 ms | p99 ms |',
  )
  say('| --- | --- | --- | --- | --- | --- | --- | --- |')
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
    goal === undefined ? '' : `≥ ${goal}`,
    cpu(measured.product),
    cpu(measured.limit),
    perSecond.toFixed(0),
    p50.toFixed(1),
    p99.toFixed(1),
  ]
  say(`| ${cells.join(' | ')} |${reached ? '' : ' not reached'}`)
  return reached
}

function cpu({ serverMs, postgresMs }: Cost): string {
  return `${serverMs.toFixed(2)} + ${postgresMs.toFixed(2)}`
}
