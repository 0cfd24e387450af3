import { cpuOf, cpuOfFamily, ticksOfFamily } from './cpu.ts'
import { type Load, type Loaded, load } from './load.ts'

/** CPU milliseconds per call, and the speed a client sees. */
export interface Cost extends Loaded {
  readonly serverMs: number
  readonly postgresMs: number
}

/** The processes whose CPU time is counted. */
export interface Processes {
  readonly server: number
  readonly postgres: number
  /** Also counts child processes and threads that have ended. Photos need this. */
  readonly children?: boolean
}

interface Round {
  readonly product: Cost
  readonly limit: Cost
}

/** Odd, so that there is a median round. */
const ROUNDS = 11
/** Rounds of warm-up, during which JavaScript is compiled. */
const WARM_UP = 4

/**
 * Puts the same load on the server and on its limit in turns, so that other work on the machine affects both.
 * @returns the round with the median ratio, because the cheapest of each may come from different rounds
 */
export async function compare(
  product: { load: Load; processes: Processes },
  limit: { load: Load; processes: Processes },
  costOf: (cost: Cost) => number = cpuMs,
): Promise<Round> {
  for (const { load: options } of [product, limit]) {
    await load({ ...options, total: WARM_UP * options.total })
  }
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

export async function measure(options: Load, { server, postgres, children }: Processes): Promise<Cost> {
  const cpu = () => ({
    server: children ? ticksOfFamily(server) : cpuOf(server),
    postgres: cpuOfFamily(postgres),
  })
  const before = cpu()
  const loaded = await load(options)
  const after = cpu()
  return {
    ...loaded,
    serverMs: (after.server - before.server) / options.total,
    postgresMs: (after.postgres - before.postgres) / options.total,
  }
}

export const cpuMs = ({ serverMs, postgresMs }: Cost): number => serverMs + postgresMs
