import type { Page } from '@playwright/test'

/** Presses the first button of a name. */
export const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click()
}
