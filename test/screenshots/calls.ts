import type { Page } from '@playwright/test'

/** Makes these calls fail. */
export const failing = (calls: string) => async (page: Page) => {
  await page.route(calls, (route) => route.abort())
}

/** Leaves these calls unanswered. */
export const waiting = (calls: string) => async (page: Page) => {
  await page.route(calls, () => {})
}

/** Answers these calls. */
export const answering = (calls: string, json: unknown) => async (page: Page) => {
  await page.route(calls, (route) => route.fulfill({ json }))
}

/** Stores a rate that this tab has supposedly shown before, in basis points. */
export const keptRate = (slug: string, rate: number) => async (page: Page) => {
  await page.addInitScript(`sessionStorage.setItem('shown-rate:${slug}', '${rate}')`)
}
