import { type Finding, median, ms, times } from './findings.ts'
import { type Load, load } from './measure/load.ts'
import { signInCalls } from './rows.ts'
import type { Stage } from './stage.ts'

/** As many as may wait for a hash; one more is asked to come again. */
const SIGNING_IN = 200
const ROUNDS = 3

export const CROWD = `other requests while ${SIGNING_IN} sign in at once`

/** What others wait for their lists while so many sign in, beside what they wait without them, in turns. */
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

async function p99Beside(others: Omit<Load, 'total'>, crowd: Load): Promise<number> {
  const over = new AbortController()
  const measured = load({ ...others, total: Number.POSITIVE_INFINITY, signal: over.signal })
  await load(crowd).finally(() => over.abort())
  return (await measured).p99
}
