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

/** Product and limit, one directly after the other. */
interface Round {
  readonly product: Cost
  readonly limit: Cost
}

/** Short ones, and odd: one of them is in the middle. */
const ROUNDS = 11
/** As long as so many of them. What is called often is compiled anew for a while, and that is not what is asked. */
const WARM_UP = 4

/**
 * Puts the same load on the product and on its limit, in turns, so that what else the machine does meanwhile hits both.
 *
 * @param costOf what is asked
 * @returns the round in which the product did neither well nor badly beside its limit. (The cheapest of each may be of different
 *   rounds: a short while in which nothing else ran decides, and whom it hit.)
 */
export async function compare(
  product: { load: Load; processes: Processes },
  limit: { load: Load; processes: Processes },
  costOf: (cost: Cost) => number = cpuMs,
): Promise<Round> {
  for (const { load: its } of [product, limit]) await load({ ...its, total: WARM_UP * its.total })
  const rounds: Round[] = []
  while (rounds.length < ROUNDS) {
    rounds.push({
      product: await measure(product.load, product.processes),
      limit: await measure(limit.load, limit.processes),
    })
  }
  const share = (round: Round) => costOf(round.limit) / costOf(round.product)
  const middle = rounds.sort((one, other) => share(one) - share(other))[(ROUNDS - 1) / 2]
  if (!middle) throw new Error('Nothing was measured')
  return middle
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
