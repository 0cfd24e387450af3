import type { CDPSession } from '@playwright/test'

/**
 * What the thread of a page works, counted in its own processor time: what else the machine does is not in it, and a
 * slowdown by DevTools is. @returns tells the milliseconds since then
 */
export async function threadTime(devtools: CDPSession): Promise<() => Promise<number>> {
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const worked = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  const before = await worked()
  return async () => (await worked()) - before
}
