import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** From now on only the test advances time. Needs `page.clock.install()` before the page is opened. */
export async function stopTheClock(page: Page): Promise<void> {
  await page.clock.pauseAt(Date.now() + 60_000)
}

/**
 * Advances time in steps of at most a second, in each of which a timer runs at most once. `runFor` also runs every frame in
 * between, which takes half as long as the time itself.
 */
export async function skipTime(page: Page, milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 1000) await page.clock.fastForward(Math.min(left, 1000))
}

/** Advances time just until the page shows the text. @returns how many milliseconds */
export async function letItShow(page: Page, text: string): Promise<number> {
  let passed = 0
  await expect(async () => {
    await page.clock.runFor(5)
    passed += 5
    expect(await page.getByText(text).count()).toBeGreaterThan(0)
  }).toPass({ intervals: [20] })
  return passed
}
