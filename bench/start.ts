import { memoryOf } from '#test/processes.ts'
import { type Finding, ms } from './findings.ts'
import type { Stage } from './stage.ts'

/** How long a start on an existing folder takes, and how much of it is PostgreSQL's. The quickest of some. */
export async function measureStart({ starts, postgresStarts, atRestMb }: Stage): Promise<Finding[]> {
  const quickest = starts.reduce((least, start) => (start.ms < least.ms ? start : least))
  const postgres = Math.min(...postgresStarts)
  return [
    {
      what: 'start on an existing folder, until ready',
      measured: `${ms(quickest.ms)} (${starts.map((start) => start.ms.toFixed(0)).join(', ')}); ${ms(quickest.cpuMs)} of CPU`,
      goal: '≤ 1500 ms',
      reached: quickest.ms <= 1500,
    },
    {
      what: 'of it, embedded PostgreSQL',
      measured: `${ms(postgres)} (${postgresStarts.map((start) => start.toFixed(0)).join(', ')})`,
      goal: '≤ 500 ms',
      reached: postgres <= 500,
    },
    {
      what: 'memory of the server at rest',
      measured: `${atRestMb.toFixed(0)} MB`,
      goal: '≤ 130 MB',
      reached: atRestMb <= 130,
    },
  ]
}

export function measureMemory({ product }: Stage): Finding[] {
  const highest = memoryOf(product.server, 'VmHWM')
  return [
    {
      what: 'memory of the server at its highest, under the load above',
      measured: `${highest.toFixed(0)} MB`,
      goal: '≤ 300 MB',
      reached: highest <= 300,
    },
  ]
}
