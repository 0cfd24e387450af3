import type { Page } from '@playwright/test'
import { expect } from './fixtures.ts'

/** From here on time passes only when a test lets it. Needs `page.clock.install()` before the page is opened. */
export async function stopTheClock(page: Page): Promise<void> {
  await page.clock.pauseAt(Date.now() + 60_000)
}

/** Lets as little time pass as a page needs to show something. @returns how many milliseconds */
export async function letItShow(page: Page, text: string): Promise<number> {
  let passed = 0
  await expect(async () => {
    await page.clock.runFor(5)
    passed += 5
    expect(await page.getByText(text).count()).toBeGreaterThan(0)
  }).toPass({ intervals: [20] })
  return passed
}
