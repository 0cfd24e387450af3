import type pg from 'pg'
import { createDatabase, type Database } from '#server/platform/database/pool.ts'

interface PlanNode {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows': number
  readonly 'Actual Loops': number
  readonly 'Rows Removed by Filter'?: number
  readonly 'Rows Removed by Index Recheck'?: number
  readonly Plans?: readonly PlanNode[]
}

/** How PostgreSQL executed a statement. */
export interface Explained {
  readonly text: string
  /** Rows read from tables and indexes, including those that were filtered out. */
  readonly visited: number
  /** Tables that were scanned sequentially. */
  readonly scanned: readonly string[]
  readonly indexes: readonly string[]
  /** Pages read from cache or disk. */
  readonly pages: number
  readonly planningMs: number
  readonly executionMs: number
}

/** Runs `work` and returns the statements it sent, with their values. */
export async function statementsOf(
  pool: pg.Pool,
  work: (db: Database) => Promise<unknown>,
): Promise<{ text: string; values: unknown[] }[]> {
  const sent: { text: string; values: unknown[] }[] = []
  const query = (config: pg.QueryConfig, values?: unknown[]) => {
    sent.push({ text: config.text, values: values ?? config.values ?? [] })
    return pool.query(config, values)
  }
  await work(createDatabase({ query, options: {} } as never))
  return sent
}

/** Runs `work` and explains each statement it sent, with the same values. */
export async function explain(pool: pg.Pool, work: (db: Database) => Promise<unknown>): Promise<Explained[]> {
  return Promise.all((await statementsOf(pool, work)).map((statement) => explainOne(pool, statement)))
}

/**
 * Makes rows as expensive as in tables a hundred times as large, because scanning a small table is always cheapest. With
 * such costs PostgreSQL would compile every query first, which takes seconds.
 */
const AS_IF_LARGE =
  'SET LOCAL enable_seqscan = off; SET LOCAL cpu_tuple_cost = 1; SET LOCAL cpu_index_tuple_cost = 0.5; SET LOCAL jit = off'

async function explainOne(pool: pg.Pool, { text, values = [] }: pg.QueryConfig): Promise<Explained> {
  const client = await pool.connect()
  await client.query(`BEGIN; ${AS_IF_LARGE}`)
  const { rows } = await client.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values)
  await client.query('ROLLBACK')
  client.release()
  const [explained] = rows[0]['QUERY PLAN']
  const nodes = allNodes(explained.Plan)
  const scans = nodes.filter(
    (node) => node['Node Type'].endsWith('Scan') && (node['Relation Name'] || node['Index Name']),
  )
  return {
    text,
    visited: Math.round(scans.reduce((sum, node) => sum + visitedBy(node), 0)),
    scanned: scans
      .filter((node) => node['Node Type'] === 'Seq Scan')
      .map((node) => node['Relation Name'] ?? ''),
    indexes: [...new Set(scans.flatMap((node) => node['Index Name'] ?? []))],
    pages: explained.Plan['Shared Hit Blocks'] + explained.Plan['Shared Read Blocks'],
    planningMs: explained['Planning Time'],
    executionMs: explained['Execution Time'],
  }
}

function allNodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(allNodes)]
}

function visitedBy(node: PlanNode): number {
  const dropped = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  return (node['Actual Rows'] + dropped) * node['Actual Loops']
}
