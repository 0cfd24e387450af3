import { parseArgs } from 'node:util'
import { type Cost, compare, cpuMs } from './measure/compare.ts'
import { memoryOf } from './measure/cpu.ts'
import {
  bareRows,
  LISTED,
  listRow,
  moveRow,
  type Row,
  recordStatements,
  searchedTexts,
  signInRow,
} from './rows.ts'
import { type Limit, type Stage, setStage } from './stage.ts'

/**
 * `npm run bench [-- --submissions N] [--data FOLDER] [--only WORD]`: the product beside the least that the same work
 * costs, in one run. Ratios of processor time hold on a noisy machine. A folder given by --data is filled once and kept.
 */

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const text = { type: 'string' } as const
const { values } = parseArgs({ options: { submissions: text, data: text, only: text } })

const stage = await setStage(Number(values.submissions ?? 100_000), values.data)
try {
  say(`start on an existing folder: ${Math.round(stage.startMs)} ms`)
  say(`memory at rest: ${memoryOf(stage.product.server).toFixed(0)} MB`)
  const { limit, rows } = await prepare(stage)
  say(
    '| operation | of the limit | goal | CPU ms a call, server + PostgreSQL | at the limit | calls/s | p50 ms | p99 ms |',
  )
  say('| --- | --- | --- | --- | --- | --- | --- | --- |')
  let missed = 0
  for (const row of rows.filter(({ name }) => name.includes(values.only ?? ''))) {
    if (!(await measureRow(stage, limit, row))) missed++
  }
  say(`memory after it: ${memoryOf(stage.product.server).toFixed(0)} MB`)
  say(missed === 0 ? 'Every goal is reached.' : `${missed} goals are not reached.`)
  process.exitCode = missed === 0 ? 0 : 1
} finally {
  await stage.end()
}

async function prepare(of: Stage): Promise<{ limit: Limit; rows: Row[] }> {
  const texts = Object.entries(await searchedTexts(of))
  const filters = [LISTED, ...texts.map(([, q]) => ({ q }))]
  const statements = await recordStatements(of, filters)
  const brands = await fetch(`${of.url}/api/brands`)
  const limit = await of.limit({ statements, brands: await brands.text() })
  const rows = [
    ...bareRows(limit, brands.headers.get('etag') ?? ''),
    listRow(of, limit, 'staff list, status and brand', 0.75, LISTED),
    ...texts.map(([name, q]) => listRow(of, limit, `search by ${name}`, 0.7, { q })),
    await moveRow(of, limit),
    await signInRow(of, limit),
  ]
  return { limit, rows }
}

async function measureRow({ url, product }: Stage, limit: Limit, row: Row): Promise<boolean> {
  const { total, connections = 8 } = row
  const measured = await compare(
    { load: { url, call: row.product, total, connections }, processes: product },
    { load: { ...row.limit, total, connections }, processes: limit.processes },
  )
  const ratio = cpuMs(measured.limit) / cpuMs(measured.product)
  const { perSecond, p50, p99 } = measured.product
  const cells = [
    row.name,
    ratio.toFixed(2),
    `≥ ${row.goal}`,
    cpu(measured.product),
    cpu(measured.limit),
    perSecond.toFixed(0),
    p50.toFixed(1),
    p99.toFixed(1),
  ]
  say(`| ${cells.join(' | ')} |${ratio < row.goal ? ' not reached' : ''}`)
  return ratio >= row.goal
}

function cpu({ serverMs, postgresMs }: Cost): string {
  return `${serverMs.toFixed(2)} + ${postgresMs.toFixed(2)}`
}
