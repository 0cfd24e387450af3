import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import config from '../../playwright.config.ts'

/** A phone on a slow connection. */
const LINE = { latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
const CPU_SLOWDOWN = 4

export function launch(): Promise<Browser> {
  return chromium.launch(config.use?.launchOptions ?? {})
}

export interface Visit {
  readonly page: Page
  readonly devtools: CDPSession
}

/** Calls `work` with a page of a new browser context, without any cache. */
export async function visit<T>(
  browser: Browser,
  {
    cookie,
    url,
    throttled,
    width = 1440,
  }: { cookie?: string; url: string; throttled: boolean; width?: number },
  work: (visit: Visit) => Promise<T>,
): Promise<T> {
  const context = await browser.newContext({ baseURL: url, viewport: { width, height: 900 } })
  try {
    if (cookie) await context.addCookies(cookiesOf(cookie, url))
    const page = await context.newPage()
    const devtools = await context.newCDPSession(page)
    if (throttled) await throttle(devtools)
    return await work({ page, devtools })
  } finally {
    await context.close()
  }
}

export async function throttle(devtools: CDPSession): Promise<void> {
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', { offline: false, ...LINE })
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
}

function cookiesOf(header: string, url: string) {
  return header.split('; ').map((cookie) => {
    const [name = '', value = ''] = cookie.split(/=(.*)/)
    return { name, value, url }
  })
}
