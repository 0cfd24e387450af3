import type { Visit } from './browser.ts'
import { threadTime } from './thread-time.ts'

export interface Scrolled {
  /** Of all frames those that came later than the next tick of a screen of 60 Hz. */
  readonly lateShare: number
  /** Processor time of the page's own thread for a frame, in milliseconds: script, style, layout, paint. */
  readonly workPerFrame: number
  readonly frames: number
  /** Rows that were in the page at once, at the most. */
  readonly mostRows: number
}

const FRAMES = 300
const PIXELS = 40

/** Scrolls a list on with every frame, as a wheel does that doesn't stop. */
export async function scroll(
  { page, devtools }: Visit,
  { scroller, row }: { scroller: string; row: string },
): Promise<Scrolled> {
  const worked = await threadTime(devtools)
  const { times, mostRows } = await page.evaluate(
    ({ scroller, row, frames, pixels }) =>
      new Promise<{ times: number[]; mostRows: number }>((resolve) => {
        const list = document.querySelector(scroller)
        const times: number[] = []
        let mostRows = 0
        const onFrame = (now: number) => {
          times.push(now)
          if (times.length % 10 === 0) mostRows = Math.max(mostRows, document.querySelectorAll(row).length)
          if (times.length > frames) return resolve({ times, mostRows })
          list?.scrollBy(0, pixels)
          requestAnimationFrame(onFrame)
        }
        requestAnimationFrame(onFrame)
      }),
    { scroller, row, frames: FRAMES, pixels: PIXELS },
  )
  const work = await worked()
  const gaps = times.slice(1).map((time, at) => time - (times[at] ?? 0))
  // A frame is on time when the next tick found it: half a tick of doubt is the clock's.
  const late = gaps.filter((gap) => gap > 16.7 * 1.5).length
  return { lateShare: late / gaps.length, workPerFrame: work / gaps.length, frames: gaps.length, mostRows }
}
