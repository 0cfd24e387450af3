import type { Page } from '@playwright/test'
import { seriousFaults } from './axe.ts'
import { expect } from './fixtures.ts'

/** Checks accessibility and horizontal overflow at the current size, in the current theme. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoHorizontalScroll(page)
  expect(await seriousFaults(page), 'accessibility').toEqual([])
}

/** Like `expectAccessible`, in both themes. */
export async function expectAccessibleInBothThemes(page: Page): Promise<void> {
  await expectAccessible(page)
  await inTheOtherTheme(page, async () => {
    await expectNoHorizontalScroll(page)
    // Colors may still be in transition to the other theme.
    await expect.poll(() => seriousFaults(page, 'colors')).toEqual([])
  })
}

export async function expectNoHorizontalScroll(page: Page): Promise<void> {
  const { width } = page.viewportSize() ?? { width: 0 }
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width)
}

/** Sets the class directly, because a dialog covers the theme button. */
async function inTheOtherTheme(page: Page, look: () => Promise<void>): Promise<void> {
  const change = () => page.evaluate(() => void document.documentElement.classList.toggle('dark'))
  await change()
  await look()
  await change()
}

export async function chooseTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  await page.addInitScript((chosen) => localStorage.setItem('theme', chosen), theme)
}
