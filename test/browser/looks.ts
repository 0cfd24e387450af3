import type { Page } from '@playwright/test'
import { seriousFaults } from './axe.ts'
import { expect } from './fixtures.ts'

/** That a page at its current size is accessible and shows everything without scrolling sideways: staff have one theme. */
export async function expectSound(page: Page): Promise<void> {
  await expectNothingSideways(page)
  expect(await seriousFaults(page), 'accessibility').toEqual([])
}

/** The same in both themes. */
export async function expectGoodLooks(page: Page): Promise<void> {
  await expectSound(page)
  await inTheOtherTheme(page, async () => {
    await expectNothingSideways(page)
    // A colour that is still on its way to the other theme is no fault of either: what stays is.
    await expect.poll(() => seriousFaults(page, 'colours')).toEqual([])
  })
}

export async function expectNothingSideways(page: Page): Promise<void> {
  const { width } = page.viewportSize() ?? { width: 0 }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
}

/** A theme is a class of the root; its button is out of reach behind a dialog. */
async function inTheOtherTheme(page: Page, look: () => Promise<void>): Promise<void> {
  const change = () => page.evaluate(() => void document.documentElement.classList.toggle('dark'))
  await change()
  await look()
  await change()
}

export async function chooseTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme)
}
