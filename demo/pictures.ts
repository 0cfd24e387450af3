import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Browser, chromium, type Page } from '@playwright/test'
import sharp from 'sharp'
import { type Demo, readDemo } from '#server/demo.ts'
import { ServerProcess } from '#test/server-process.ts'
import config from '../playwright.config.ts'
import { demoSettings } from '../scripts/demo-settings.mjs'

/** `npm run pictures`: takes the pictures of README.md and docs/ in an existing demo. */

const FOLDER = join(import.meta.dirname, '../docs/pictures')
const MAX_BYTES = 200_000

interface Picture {
  readonly name: string
  readonly as: 'visitor' | 'seller' | 'staff'
  readonly theme: 'light' | 'dark'
  readonly width: number
  readonly height: number
  readonly path: string
  /** Of the server. */
  readonly settings?: Readonly<Record<string, string>>
  readonly act?: (page: Page) => Promise<void>
}

const pictures: readonly Picture[] = [
  { name: 'landing', as: 'visitor', theme: 'light', width: 1200, height: 760, path: '/' },
  {
    name: 'quote',
    as: 'visitor',
    theme: 'light',
    width: 1200,
    height: 760,
    path: '/get-quote',
    act: async (page) => {
      await page
        .getByRole('button', { name: /^Amazon/ })
        .first()
        .click()
      await page.getByLabel('Card value').fill('100')
    },
  },
  { name: 'home-dark', as: 'seller', theme: 'dark', width: 1200, height: 760, path: '/account' },
  {
    name: 'phone',
    as: 'seller',
    theme: 'light',
    width: 390,
    height: 844,
    path: '/transactions',
    act: async (page) => {
      await page.getByRole('link', { name: /^Airbnb/ }).click()
      await page.getByText('You received').waitFor()
    },
  },
  { name: 'staff', as: 'staff', theme: 'dark', width: 1440, height: 900, path: '/admin' },
  {
    name: 'batch',
    as: 'staff',
    theme: 'dark',
    width: 1280,
    height: 640,
    path: '/admin/payouts?view=batches',
    act: (page) => page.getByRole('row').filter({ hasText: 'Frozen' }).getByRole('link').first().click(),
  },
  {
    name: 'statement',
    as: 'staff',
    theme: 'dark',
    width: 1280,
    height: 840,
    path: '/admin/payouts?view=batches',
    act: async (page) => {
      await page.getByRole('button', { name: 'Import statement' }).click()
      await page.getByLabel('Choose file').setInputFiles(join(folder, 'bank-statement.csv'))
      await page.getByRole('button', { name: 'Show 1 line of other business' }).click()
    },
  },
  {
    name: 'refused-account',
    as: 'staff',
    theme: 'dark',
    width: 1280,
    height: 640,
    path: '/admin/payouts',
    act: (page) =>
      page.getByRole('listitem').filter({ hasText: 'Account Needed' }).getByRole('link').first().click(),
  },
  {
    name: 'closing',
    as: 'staff',
    theme: 'dark',
    width: 1280,
    height: 640,
    path: '/admin/reports',
    act: (page) => page.getByText('Closing a month').last().scrollIntoViewIfNeeded(),
  },
  {
    name: 'prenote',
    as: 'staff',
    theme: 'dark',
    width: 1280,
    height: 640,
    path: '/admin/payouts',
    settings: { ...demoSettings, NACHA_PRENOTES: 'on' },
    act: (page) =>
      page.getByRole('listitem').filter({ hasText: 'Prenote needed' }).getByRole('link').first().click(),
  },
  {
    name: 'tax-details',
    as: 'seller',
    theme: 'light',
    width: 1200,
    height: 760,
    path: '/profile',
    settings: demoSettings,
    act: (page) => page.getByLabel('City').scrollIntoViewIfNeeded(),
  },
]

const { values } = parseArgs({ options: { data: { type: 'string' } } })
const folder = resolve(values.data ?? 'demo-data')
const demo = await readDemo(folder)
if (!demo) throw new Error(`${folder} does not contain a demo; make one with npm run demo`)
const browser = await chromium.launch(config.use?.launchOptions ?? {})
try {
  const groups = Map.groupBy(pictures, ({ settings }) => settings)
  for (const [settings, group] of groups) {
    const server = ServerProcess.start({ ...settings, DATA_DIR: folder })
    try {
      const site = await server.ready()
      for (const picture of group) await take(browser, site, demo, picture)
    } finally {
      server.kill('SIGTERM')
      await server.ended()
    }
  }
} finally {
  await browser.close()
}

async function take(from: Browser, site: string, who: Demo, picture: Picture): Promise<void> {
  const { width, height, theme, name } = picture
  const context = await from.newContext({
    baseURL: site,
    viewport: { width, height },
    deviceScaleFactor: width < 500 ? 2 : 1,
    reducedMotion: 'reduce',
  })
  await context.addInitScript(`localStorage.setItem('theme', '${theme}')`)
  if (picture.as === 'seller') await context.request.post('/api/auth/login', { data: who.seller })
  if (picture.as === 'staff') await context.request.post('/api/admin/login', { data: who.staff })
  const page = await context.newPage()
  const answer = await page.goto(picture.path)
  if (!answer?.ok()) throw new Error(`${picture.path} answered ${answer?.status()}`)
  await page.waitForLoadState('networkidle')
  await picture.act?.(page)
  await page.waitForLoadState('networkidle')
  await page.evaluate("document.querySelector('.demo-line')?.remove()")
  const path = join(FOLDER, `${name}.png`)
  await sharp(await page.screenshot({ animations: 'disabled' }))
    .png({ palette: true, colours: 192, effort: 10 })
    .toFile(path)
  await context.close()
  const { size } = await stat(path)
  if (size > MAX_BYTES) throw new Error(`${path} has ${size} bytes`)
}
