import type { Page } from '@playwright/test'

/** How a page loads, in milliseconds from the start of the navigation. */
export interface Loading {
  readonly largestPaint: number
  readonly layoutShift: number
  /** The time of tasks beyond 50 ms each, when the page does not react. */
  readonly blocked: number
}

/** Opens a page and waits until it has loaded. */
export async function watchLoading(page: Page, path: string): Promise<Loading> {
  await page.addInitScript(() => {
    const seen = { largestPaint: 0, layoutShift: 0, blocked: 0 }
    const on = (type: string, take: (entry: PerformanceEntry) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true })
    on('largest-contentful-paint', ({ startTime }) => {
      seen.largestPaint = startTime
    })
    on('layout-shift', (entry) => {
      seen.layoutShift += (entry as PerformanceEntry & { value: number }).value
    })
    on('longtask', ({ duration }) => {
      seen.blocked += duration - 50
    })
    Object.assign(globalThis, { seen })
  })
  await page.goto(path)
  await page.waitForLoadState('networkidle')
  await page.waitForFunction(() => (globalThis as unknown as { seen: Loading }).seen.largestPaint > 0)
  return page.evaluate(() => (globalThis as unknown as { seen: Loading }).seen)
}

/** Whether a page is painted before its scripts arrive, except the inline script for the theme. */
export async function paintsWithoutScripts(page: Page, path: string): Promise<boolean> {
  const painted = Promise.withResolvers<void>()
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await painted.promise
    await route.continue()
  })
  await page.goto(path, { waitUntil: 'commit' })
  const paint = () => performance.getEntriesByName('first-contentful-paint').length > 0
  const came = await page.waitForFunction(paint, undefined, { timeout: 20_000 }).catch(() => undefined)
  painted.resolve()
  await page.unrouteAll({ behavior: 'wait' })
  return came !== undefined
}
