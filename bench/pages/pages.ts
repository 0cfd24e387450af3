import type { Browser } from '@playwright/test'
import { type Finding, median, ms, printFindings } from '../findings.ts'
import type { Stage } from '../stage.ts'
import { launch, throttle, visit } from './browser.ts'
import { type Loading, paintsWithoutScripts, watchLoading } from './loading.ts'
import { servePlainPages } from './plain.ts'
import { watchTyping } from './typing.ts'

const ROUNDS = 5
const ROW = 'li[aria-posinset]'

/** Measures pages on a slow phone: 150 ms latency, 1.6 Mbit/s, a quarter of the CPU. */
export async function measurePages(stage: Stage): Promise<number> {
  const browser = await launch()
  const plain = await servePlainPages()
  try {
    return printFindings([
      ...(await landing(browser, stage.url, plain.url)),
      await typing(browser, stage.url),
      await staffList(browser, stage),
    ])
  } finally {
    plain.close()
    await browser.close()
  }
}

async function landing(browser: Browser, url: string, plainUrl: string): Promise<Finding[]> {
  const [own, plain]: [Loading[], Loading[]] = [[], []]
  for (let round = 0; round < ROUNDS; round++) {
    for (const [from, into] of [
      [url, own],
      [plainUrl, plain],
    ] as const) {
      const phone = { url: from, throttled: true, width: 360 }
      into.push(await visit(browser, phone, ({ page }) => watchLoading(page, '/')))
    }
  }
  const of = (some: readonly Loading[], what: keyof Loading) => some.map((loading) => loading[what])
  const least = (what: keyof Loading, some = own) => Math.min(...of(some, what))
  const [paint, shift, blocked] = [
    least('largestPaint'),
    Math.max(...of(own, 'layoutShift')),
    least('blocked'),
  ]
  const early = await visit(browser, { url, throttled: false }, ({ page }) => paintsWithoutScripts(page, '/'))
  const middle = (what: keyof Loading) => ms(median(of(own, what)))
  return [
    {
      what: 'landing page, largest paint',
      measured: `${ms(paint)} (p50 ${middle('largestPaint')})`,
      limit: `${ms(least('largestPaint', plain))} without any script`,
      goal: '≤ 700 ms',
      reached: paint <= 700,
    },
    { what: 'landing page, layout shift', measured: String(shift), goal: '0', reached: shift === 0 },
    {
      what: 'landing page, blocked',
      measured: `${ms(blocked)} (p50 ${middle('blocked')})`,
      limit: `${ms(least('blocked', plain))} without any script`,
      goal: '≤ 100 ms',
      reached: blocked <= 100,
    },
    {
      what: 'landing page, painted before any of its scripts has come',
      measured: early ? 'yes' : 'no',
      goal: 'yes',
      reached: early,
    },
  ]
}

async function typing(browser: Browser, url: string): Promise<Finding> {
  const phone = { url, throttled: true, width: 360 }
  const { changed, calls } = await visit(browser, phone, watchTyping)
  return {
    what: 'from a key to the quote, at a quarter of the processor',
    measured: `p50 ${ms(median(changed))}, ${ms(Math.min(...changed))} at best; ${calls} calls`,
    goal: '≤ 16 ms, 0',
    reached: median(changed) <= 16 && calls === 0,
  }
}

async function staffList(browser: Browser, { url, staff }: Stage): Promise<Finding> {
  const { cookie } = staff
  const firstRows = { cold: [] as number[], warm: [] as number[] }
  for (let round = 0; round < ROUNDS; round++) {
    await visit(browser, { url, cookie, throttled: false }, async ({ page, devtools }) => {
      await throttle(devtools)
      const firstRow = async () => {
        await page.goto('/admin')
        await page.locator(ROW).first().waitFor()
        return page.evaluate(() => performance.now())
      }
      firstRows.cold.push(await firstRow())
      firstRows.warm.push(await firstRow())
    })
  }
  const [cold, warm] = [Math.min(...firstRows.cold), Math.min(...firstRows.warm)]
  return {
    what: 'staff list, first row under the throttle',
    measured: `${ms(warm)} (p50 ${ms(median(firstRows.warm))}); the very first visit ${ms(cold)}`,
    goal: '≤ 900 ms',
    reached: warm <= 900,
  }
}
