import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import { appSettled, expect, newSeller, seemSignedIn, test } from './fixtures.ts'
import { expectAccessibleInBothThemes } from './looks.ts'
import { expectToast, forgive, signedUp, submitCard } from './sellers.ts'

const main = (page: Page) => page.getByRole('main')

test.describe('the top bar', () => {
  test('reserves space while the session loads', async ({ page, site }) => {
    await seemSignedIn(page, site)
    const { promise, resolve } = Promise.withResolvers<void>()
    await page.route('**/api/auth/me', async (route) => {
      await promise
      await route.continue()
    })
    await page.goto('/')
    const bar = page.getByRole('navigation', { name: 'Main' })
    await expect(bar.locator('[aria-busy="true"]')).toBeVisible()
    await expect(bar.getByRole('link', { name: 'Sign In' })).toHaveCount(0)
    resolve()
    await expect(bar.getByRole('link', { name: 'Sign In' })).toHaveAttribute('href', '/login')
    await expect(bar.getByRole('link', { name: 'Sign Up' })).toHaveAttribute('href', '/register')
    await expect(bar.locator('[aria-busy="true"]')).toHaveCount(0)
  })

  test('asks who is signed in only if somebody may be', async ({ page, site }) => {
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto('/')
    await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([])
    await seemSignedIn(page, site)
    await page.reload()
    await expect.poll(() => asked).toContain('/api/auth/me')
    await expect(page.getByRole('banner').getByRole('link', { name: 'Sign In' })).toBeVisible()
  })

  test('marks Get Quote on its page and links to the home page', async ({ page }) => {
    await page.goto('/faq')
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Get Quote' })
    await expect(link).not.toHaveAttribute('aria-current')
    await link.click()
    await expect(link).toHaveAttribute('aria-current', 'page')
    await page.getByRole('link', { name: 'Unspent', exact: true }).click()
    await expect(page).toHaveURL(/\/$/)
  })

  test('has a menu for signed-in sellers that works with the keyboard', async ({ page }) => {
    const seller = await signedUp(page)
    await page.goto('/faq')
    const button = page.getByRole('button', { name: 'My Account' })
    await button.focus()
    await page.keyboard.press('Enter')
    const menu = page.getByRole('menu')
    await expect(menu.getByText(seller.firstName, { exact: true })).toBeVisible()
    await expect(menu.getByRole('menuitem')).toHaveText([
      'Home',
      'Transaction History',
      'Processing',
      'Profile Settings',
      'Sign Out',
    ])
    await page.keyboard.press('Escape')
    await expect(menu).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'My Account' })).toBeFocused()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Sign Out' }).click()
    await expect(page).toHaveURL(/\/$/)
    await expect(
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Sign In' }),
    ).toBeVisible()
  })

  test('shows the username if there is no first name', async ({ page }) => {
    await signedUp(page)
    await page.route('**/api/auth/me', async (route) => {
      const { user } = await (await route.fetch()).json()
      await route.fulfill({ json: { user: { ...user, firstName: '', username: 'sally99' } } })
    })
    await page.goto('/faq')
    await page.getByRole('button', { name: 'My Account' }).click()
    await expect(page.getByRole('menu').getByText('sally99', { exact: true })).toBeVisible()
  })

  test('signs out once, forgets the seller, and says when it fails', async ({ page, site, complaints }) => {
    await signedUp(page)
    await page.goto('/faq')
    const kept = () => page.evaluate(() => Object.values(sessionStorage))
    await page.getByRole('button', { name: 'Support Chat' }).click()
    await page.getByLabel('Your message').fill('Only for support')
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    expect(await kept()).toContain('Only for support')
    const signOut = page.getByRole('menuitem', { name: 'Sign Out' })
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
    await page.route('**/api/auth/logout', async (route) => {
      await answered
      await route.fulfill({ status: 500, body: 'oops' })
    })
    await page.getByRole('button', { name: 'My Account' }).click()
    await signOut.click()
    await expect(signOut).toBeDisabled()
    answer()
    await expectToast(page, 'Sign out failed', 'Please try again.')
    await page.unroute('**/api/auth/logout')
    await expect(signOut).toBeEnabled()
    await signOut.click()
    await expect(page).toHaveURL(`${site}/`)
    expect((await page.request.get('/api/auth/me')).status()).toBe(401)
    await expect.poll(kept).not.toContain('Only for support')
    await page.goBack()
    await expect(page.getByRole('link', { name: 'Sign In', exact: true })).toBeVisible()
    forgive(complaints, /500/)
  })

  test('links to the Admin Dashboard only for the configured usernames', async ({ page }) => {
    await signedUp(page)
    await page.goto('/faq')
    await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible()
    const shortcut = page.getByRole('link', { name: 'Admin Dashboard' })
    await expect(shortcut).toHaveCount(0)
    // These usernames are reserved, so they cannot be registered here.
    await page.route('**/api/auth/me', async (route) => {
      const { user } = await (await route.fetch()).json()
      await route.fulfill({ json: { user: { ...user, username: 'admin', showsAdminDashboard: true } } })
    })
    await page.reload()
    await expect(shortcut).toHaveAttribute('href', '/admin')
  })

  test('fits a name of sixty letters on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    const firstName = 'Wolfeschlegelsteinhausen'.repeat(3).slice(0, 60)
    await signedUp(page, { ...newSeller(), firstName })
    await page.goto('/contact')
    await page.getByRole('button', { name: 'My Account' }).click()
    await expect(page.getByRole('menu').getByText(firstName)).toBeInViewport({ ratio: 1 })
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
    await expectAccessibleInBothThemes(page)
  })

  test('opens the menu when the connection is back', async ({ page, complaints }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await signedUp(page)
    await page.goto('/faq')
    const button = page.getByRole('button', { name: 'My Account' })
    await expect(button).toBeVisible()
    // The toaster is fetched with the first press.
    const toaster = page.waitForResponse(/\/assets\/Toaster-/)
    await page.getByRole('main').click({ position: { x: 5, y: 5 } })
    await (await toaster).finished()
    await page.context().setOffline(true)
    await button.click()
    await expectToast(page, 'You Are Offline')
    await expect(button).toHaveAttribute('aria-busy', 'true')
    await page.context().setOffline(false)
    await page.getByRole('menuitem', { name: 'Profile Settings' }).click()
    await expect(page).toHaveURL(/\/profile$/)
    forgive(complaints, /net::ERR_INTERNET_DISCONNECTED|WebSocket/)
  })

  test('opens the menu on a machine without a network, which serves itself', async ({ page }) => {
    await page.addInitScript(() => Object.defineProperty(navigator, 'onLine', { value: false }))
    await signedUp(page)
    await page.goto('/faq')
    await page.getByRole('button', { name: 'My Account' }).click()
    await page.getByRole('menuitem', { name: 'Profile Settings' }).click()
    await expect(page).toHaveURL(/\/profile$/)
  })

  test('keeps the button and the page when a menu cannot be fetched', async ({ page, complaints }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await signedUp(page)
    await page.route(/\/assets\/menus-/, (route) => route.abort())
    await page.goto('/faq')
    await page.getByRole('button', { name: 'My Account' }).click()
    await expectToast(page, 'Not Loaded', 'Loading the page again usually helps.')
    await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Frequently Asked Questions' })).toBeVisible()
    await page.unroute(/\/assets\/menus-/)
    await page.reload()
    await page.getByRole('button', { name: 'My Account' }).click()
    await expect(page.getByRole('menuitem', { name: 'Profile Settings' })).toBeVisible()
    forgive(complaints, /net::ERR_FAILED/)
  })

  test('shows that it is reconnecting while the session is unknown, and does not sign out', async ({
    page,
    site,
    complaints,
  }) => {
    await seemSignedIn(page, site)
    await page.route('**/api/auth/me', (route) => route.fulfill({ status: 503, body: 'down' }))
    await page.goto('/get-quote')
    await expect(page.getByRole('banner').getByText('Reconnecting')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Sign In', exact: true })).toHaveCount(0)
    await page
      .getByRole('button', { name: /^Amazon/ })
      .first()
      .click()
    await page.getByLabel('Card value').fill('100')
    await expect(page.getByRole('button', { name: 'Sell This Card' })).toBeEnabled()
    await page.unroute('**/api/auth/me')
    await expect(page.getByRole('link', { name: 'Sign In', exact: true })).toBeVisible()
    forgive(complaints, /503/)
  })

  test('has its links in a menu on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/')
    await page.getByRole('button', { name: 'Menu' }).click()
    await expect(page.getByRole('menuitem')).toHaveText([
      'Sign In',
      'Sign Up',
      'How It Works',
      'Help',
      'Español',
    ])
    await page.getByRole('menuitem', { name: 'How It Works' }).click()
    await expect(page.getByRole('heading', { name: 'How It Works' })).toBeInViewport()
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('menuitem', { name: 'Sign Up' }).click()
    await expect(page).toHaveURL(/\/register$/)
  })

  for (const [width, links] of [
    [640, ['Sign In']],
    [768, []],
  ] as const) {
    test(`offers each link once at ${width} pixels`, async ({ page }) => {
      await page.setViewportSize({ width, height: 740 })
      await page.goto('/')
      await page.getByRole('button', { name: 'Menu' }).click()
      await expect(page.getByRole('menuitem')).toHaveText([...links, 'How It Works', 'Help', 'Español'])
      await expect(page.getByRole('banner').getByRole('link', { name: 'Sign Up' })).toBeVisible()
    })
  }
})

test('nothing is cut off on a phone with text of twice the size', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  async function expectToFit(address: string, ready: string) {
    await page.goto(address)
    await expect(main(page).getByText(ready).filter({ visible: true }).first()).toBeVisible()
    // Twice the size that the seller has chosen in the browser.
    await page.evaluate(() => {
      document.documentElement.style.fontSize = '200%'
    })
    const tooWide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    await expect.poll(tooWide, address).toBeLessThanOrEqual(0)
    expect(await page.evaluate(brokenWords), address).toEqual([])
  }
  await expectToFit('/', 'Quick value calculator')
  await expectToFit('/es', 'Calculadora rápida')
  await expectToFit('/get-quote?brand=amazon', 'Pays 93%')
  const amount = page.getByRole('button', { name: '$500' })
  const { height = 0 } = (await amount.boundingBox()) ?? {}
  expect(height).toBeLessThan(100)
  await expectToFit('/es/get-quote', 'Cotización')
  await expectToFit('/login', 'Forgot your password?')
  await expectToFit('/es/register', 'Nombre de usuario')
  await signedUp(page)
  await submitCard(page)
  await expectToFit('/account', 'In review')
  await expectToFit('/transactions', 'Pending Review')
  await page.request.put('/api/user/locale', { data: { locale: 'es' } })
  await expectToFit('/es/account/security', 'Contraseña')
  await expectToFit('/es/account/notifications', 'Correo')
  await expectToFit('/es/profile', 'Nombre de usuario')
  await page.request.put('/api/user/locale', { data: { locale: 'en' } })
  await expectToFit('/sell-card?brand=amazon&value=100&quote=93', 'Pays 93%')
})

/** Words in headings that continue on the next line. */
function brokenWords(): string[] {
  const broken: string[] = []
  for (const heading of document.querySelectorAll('main :is(h1, h2, h3)')) {
    const texts = document.createTreeWalker(heading, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      for (const { 0: word, index } of (texts.currentNode.textContent ?? '').matchAll(/[\p{L}\p{N}]+/gu)) {
        const range = document.createRange()
        range.setStart(texts.currentNode, index)
        range.setEnd(texts.currentNode, index + word.length)
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word)
      }
    }
  }
  return broken
}

test('going back restores the scroll position', async ({ page }) => {
  await page.goto('/terms')
  await appSettled(page)
  const onward = page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' })
  // Already in view, so that the press does not scroll.
  await onward.scrollIntoViewIfNeeded()
  const left = await page.evaluate(() => scrollY)
  expect(left).toBeGreaterThan(500)
  await onward.click()
  await expect(page.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeVisible()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(left)
})

test('the first Tab offers to skip to the content', async ({ page }) => {
  await page.goto('/')
  await page.keyboard.press('Tab')
  const skip = page.getByRole('link', { name: 'Skip to content' })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await expect(main(page).locator('a, button, input, select').first()).toBeFocused()
})

test('a screen that cannot be fetched says so and appears after a reload', async ({ page, complaints }) => {
  await page.route(/\/assets\/Faq-/, (route) => route.fulfill({ status: 404 }))
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'FAQ' }).click()
  await expect(page.getByRole('heading', { name: 'This page did not load' })).toBeVisible()
  // The error is reported to the browser once.
  expect(complaints.splice(0)).toEqual([
    expect.stringContaining('Failed to fetch dynamically imported module'),
  ])
  await page.unroute(/\/assets\/Faq-/)
  await page.getByRole('button', { name: 'Load again' }).click()
  await expect(page.getByRole('heading', { name: 'Frequently Asked Questions' })).toBeVisible()
})

test('a screen that cannot be fetched says so when the texts of the page come later', async ({
  page,
  complaints,
}) => {
  await page.route(/\/assets\/Faq-/, (route) => route.fulfill({ status: 404 }))
  await page.route(/\/assets\/visitor-/, async (route) => {
    await sleep(1000)
    await route.continue()
  })
  await page.goto('/faq')
  await expect(page.getByRole('heading', { name: 'This page did not load' })).toBeVisible()
  forgive(complaints, /Failed to fetch dynamically imported module/)
})

test('staff can reload their area when its script fails at first', async ({ page, complaints }) => {
  await page.route(/\/assets\/StaffArea-/, (route) => route.fulfill({ status: 404 }))
  await page.goto('/admin')
  await expect(page.getByRole('heading', { name: 'This page did not load' })).toBeVisible()
  forgive(complaints, /Failed to fetch dynamically imported module/)
  await page.unroute(/\/assets\/StaffArea-/)
  await page.getByRole('button', { name: 'Load again' }).click()
  await expect(page).toHaveURL('/admin/login')
})

test('every unknown address shows the 404 page', async ({ page }) => {
  for (const path of ['/no-such-page', '/faq/more', '/quote/amazon']) {
    const answer = await page.goto(path)
    expect(answer?.status(), path).toBe(404)
    expect(answer?.headers()['x-robots-tag'], path).toBe('noindex')
    await expect(page.getByRole('heading', { name: 'This page does not exist' })).toBeVisible()
    await page.getByRole('link', { name: 'Back to Home' }).click()
    await expect(page).toHaveURL(/\/$/)
  }
})
