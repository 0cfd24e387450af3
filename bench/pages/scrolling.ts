import type { CDPSession } from '@playwright/test'
import type { Visit } from './browser.ts'

export interface Scrolled {
  /** The share of frames that missed a tick of a 60 Hz screen. */
  readonly lateShare: number
  /** CPU time of the page's main thread per frame, in milliseconds. */
  readonly workPerFrame: number
  readonly frames: number
  /** Maximum rows in the page at once. */
  readonly maxRows: number
}

const FRAMES = 300
const PIXELS = 40

/** Scrolls a list in every frame. */
export async function scroll(
  { page, devtools }: Visit,
  { scroller, row }: { scroller: string; row: string },
): Promise<Scrolled> {
  const cpuSinceNow = await threadTime(devtools)
  const { times, maxRows } = await page.evaluate(
    ({ scroller, row, frames, pixels }) =>
      new Promise<{ times: number[]; maxRows: number }>((resolve) => {
        const list = document.querySelector(scroller)
        const times: number[] = []
        let maxRows = 0
        const onFrame = (now: number) => {
          times.push(now)
          if (times.length % 10 === 0) maxRows = Math.max(maxRows, document.querySelectorAll(row).length)
          if (times.length > frames) return resolve({ times, maxRows })
          list?.scrollBy(0, pixels)
          requestAnimationFrame(onFrame)
        }
        requestAnimationFrame(onFrame)
      }),
    { scroller, row, frames: FRAMES, pixels: PIXELS },
  )
  const work = await cpuSinceNow()
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0))
  // Half a tick of tolerance for the clock.
  const late = gaps.filter((gap) => gap > 16.7 * 1.5).length
  return { lateShare: late / gaps.length, workPerFrame: work / gaps.length, frames: gaps.length, maxRows }
}

/** @returns a function for the CPU milliseconds that the page's main thread has used since this call */
async function threadTime(devtools: CDPSession): Promise<() => Promise<number>> {
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  const worked = async () => {
    const { metrics } = await devtools.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  const before = await worked()
  return async () => (await worked()) - before
}
