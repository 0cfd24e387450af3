import type { Page } from '@playwright/test'

/** Calls that don't get through. */
export const failing = (calls: string) => async (page: Page) => {
  await page.route(calls, (route) => route.abort())
}

/** Calls that are never answered. */
export const waiting = (calls: string) => async (page: Page) => {
  await page.route(calls, () => {})
}

/** As if this tab had shown another rate of the brand before, in basis points. */
export const keptRate = (slug: string, rate: number) => async (page: Page) => {
  await page.addInitScript(`sessionStorage.setItem('shown-rate:${slug}', '${rate}')`)
}
