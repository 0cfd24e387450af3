import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test'
import config from '../../playwright.config.ts'
import { ADMIN_PASSWORD, CONTACTS, SELLER_PASSWORD } from '../people.ts'
import { newDataDir, ServerProcess } from '../server-process.ts'
import { type Scene, setScene } from './scene.ts'
import { type Shot, shots } from './shots.ts'

const FOLDER = join(import.meta.dirname, '../../screenshots')
const WIDTHS = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1280, height: 800 },
  { width: 1440, height: 900 },
]
const THEMES = ['light', 'dark'] as const

/**
 * `npm run screenshots -- [WORD] [WIDTH]` takes every screen at every width in both themes, or only screens with WORD in
 * their name, or only WIDTH.
 */
const given = process.argv.slice(2)
const word = given.find((argument) => !Number(argument)) ?? ''
const width = given.map(Number).find(Boolean)
const wanted = shots.filter(({ name }) => name.includes(word))
if (wanted.length === 0) throw new Error(`No screen has '${word}' in its name`)
const failures: string[] = []
const widths = WIDTHS.filter((size) => !width || size.width === width)
await rm(FOLDER, { recursive: true, force: true })
await mkdir(FOLDER, { recursive: true })
const dataDir = await newDataDir()
const server = ServerProcess.start({ DATA_DIR: dataDir, ADMIN_PASSWORD, RATE_LIMITS: 'off', ...CONTACTS })
const browser = await chromium.launch(config.use?.launchOptions ?? {})
try {
  const site = await server.ready()
  const scene = await setScene(
    site,
    wanted.some(({ as }) => as === 'busy'),
  )
  for (const size of widths) for (const theme of THEMES) await take(browser, site, scene, size, theme)
} finally {
  await browser.close()
  server.kill('SIGTERM')
  await server.ended()
  await rm(dataDir, { recursive: true, force: true })
}
process.stdout.write(`The pictures are in ${FOLDER}\n`)
if (failures.length > 0) throw new Error(`These could not be taken:\n${failures.join('\n')}`)

async function take(
  from: Browser,
  site: string,
  scene: Scene,
  viewport: { width: number; height: number },
  theme: (typeof THEMES)[number],
): Promise<void> {
  const people = {
    visitor: await open(from, site, viewport, theme),
    seller: await open(from, site, viewport, theme),
    newcomer: await open(from, site, viewport, theme),
    longwinded: await open(from, site, viewport, theme),
    busy: await open(from, site, viewport, theme),
    staff: await open(from, site, viewport, theme),
  }
  for (const who of ['seller', 'newcomer', 'longwinded', 'busy'] as const) {
    const data = { email: scene[who].email, password: SELLER_PASSWORD }
    await people[who].request.post('/api/auth/login', { data })
  }
  await people.staff.request.post('/api/admin/login', {
    data: { username: 'admin', password: ADMIN_PASSWORD },
  })
  for (const shot of wanted) {
    // The staff area is always dark.
    if (shot.name.startsWith('admin') && theme === 'light') continue
    const page = await people[shot.as].newPage()
    page.setDefaultTimeout(10_000)
    const name = `${shot.name}-${viewport.width}-${theme}`
    const taken = visit(page, shot, scene).then(() =>
      page.screenshot({ path: join(FOLDER, `${name}.png`), fullPage: shot.as !== 'staff' && !shot.framed }),
    )
    // The other screens are worth seeing.
    await taken.catch((error: Error) => failures.push(`${name}: ${error.message}`))
    await page.close()
  }
  for (const context of Object.values(people)) await context.close()
}

async function visit(page: Page, { path, before, act, framed }: Shot, scene: Scene): Promise<void> {
  await before?.(page)
  await page.goto(typeof path === 'string' ? path : path(scene))
  // Never becomes idle where a shot holds calls back.
  if (before) await page.locator('main').locator('h1, h2, [role=status], [role=alert]').first().waitFor()
  else await page.waitForLoadState('networkidle')
  await act?.(page)
  // Finish animations.
  await page.waitForTimeout(400)
  if (!framed) await page.evaluate(() => scrollTo(0, 0))
}

async function open(
  from: Browser,
  baseURL: string,
  viewport: { width: number; height: number },
  theme: (typeof THEMES)[number],
): Promise<BrowserContext> {
  const context = await from.newContext({ baseURL, viewport, reducedMotion: 'reduce' })
  await context.addInitScript(`localStorage.setItem('theme', '${theme}')`)
  return context
}
