import { cpuOf, cpuOfFamily, ticksOfFamily } from './cpu.ts'
import { type Load, type Loaded, load } from './load.ts'

/** Milliseconds of a core for each call, and what a client sees. */
export interface Cost extends Loaded {
  readonly serverMs: number
  readonly postgresMs: number
}

/** Whose time is counted. */
export interface Processes {
  readonly server: number
  readonly postgres: number
  /** It works with children and with threads that come and go: on photos. */
  readonly children?: boolean
}

/** Short ones: the cheapest is the one that was least disturbed. */
const ROUNDS = 5

/**
 * Puts the same load on the product and on its limit, in turns, so that what else the machine does meanwhile hits
 * both; of each the round that cost least counts.
 */
export async function compare(
  product: { load: Load; processes: Processes },
  limit: { load: Load; processes: Processes },
): Promise<{ product: Cost; limit: Cost }> {
  const [own, bound]: [Cost[], Cost[]] = [[], []]
  // What is compiled and planned at the first calls is not what is asked.
  await Promise.all(
    [product, limit].map(({ load: its }) => load({ ...its, total: Math.ceil(its.total / 4) })),
  )
  for (let round = 0; round < ROUNDS; round++) {
    own.push(await measure(product.load, product.processes))
    bound.push(await measure(limit.load, limit.processes))
  }
  return { product: cheapest(own), limit: cheapest(bound) }
}

export async function measure(its: Load, { server, postgres, children }: Processes): Promise<Cost> {
  const cpu = () => ({
    server: children ? ticksOfFamily(server) : cpuOf(server),
    postgres: cpuOfFamily(postgres),
  })
  const before = cpu()
  const loaded = await load(its)
  const after = cpu()
  return {
    ...loaded,
    serverMs: (after.server - before.server) / its.total,
    postgresMs: (after.postgres - before.postgres) / its.total,
  }
}

export const cpuMs = ({ serverMs, postgresMs }: Cost): number => serverMs + postgresMs

function cheapest(costs: readonly Cost[]): Cost {
  const [first, ...more] = costs
  if (!first) throw new Error('Nothing was measured')
  return more.reduce((least, cost) => (cpuMs(cost) < cpuMs(least) ? cost : least), first)
}
