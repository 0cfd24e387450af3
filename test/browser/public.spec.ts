import type { Page } from '@playwright/test'
import { screenList } from '#contract/screens.ts'
import { expect, register, test } from './fixtures.ts'
import { chooseTheme, expectGoodLooks } from './looks.ts'

const prerendered = screenList.filter((screen) => screen.prerendered)
const main = (page: Page) => page.getByRole('main')

test.describe('prerendered pages', () => {
  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false })

    for (const { path, indexed } of prerendered) {
      test(`${path} can be read`, async ({ page, site }) => {
        const answer = await page.goto(path)
        expect(answer?.status()).toBe(200)
        await expect(main(page).getByRole('heading', { level: 1 })).toBeVisible()
        await expect(main(page).getByText('This page does not exist')).toHaveCount(0)
        await expect(page.getByRole('contentinfo')).toBeVisible()
        await expect(page).toHaveTitle(/^.+ · Unspent$/)
        await expect(page.locator('title')).toHaveCount(1)
        if (indexed) await expectCard(page, `${site}${path}`)
        else await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex')
      })
    }

    test('/get-quote lists the catalogue', async ({ page }) => {
      await page.goto('/get-quote')
      await expect(page.getByRole('region', { name: 'All Brands' }).getByRole('listitem')).toHaveCount(67)
    })

    test('a form puts nothing of what was typed into the address', async ({ page }) => {
      await page.goto('/login')
      await page.getByLabel('Password').fill('my dear secret')
      await page.getByLabel('Password').press('Enter')
      await page.waitForLoadState()
      expect(page.url()).not.toContain('secret')
    })
  })

  test('hold no inline script and no inline style', async ({ request }) => {
    for (const { path } of prerendered) {
      const html = await (await request.get(path)).text()
      expect(html.match(/<script(?![^>]*\ssrc=)[^>]*>/g) ?? [], path).toEqual([])
      expect(html.match(/<style|\sstyle="|\son[a-z]+="/g) ?? [], path).toEqual([])
      expect(html, path).not.toContain('{{origin}}')
    }
  })

  for (const theme of ['light', 'dark'] as const) {
    test(`are taken over by the app as they are, ${theme}`, async ({ page }) => {
      await chooseTheme(page, theme)
      for (const { path } of prerendered) {
        await page.goto(path)
        await main(page)
          .getByRole('heading', { level: 1 })
          .evaluate((heading) => heading.setAttribute('data-seen', ''))
        // The session is known only to the app.
        await expect(page.getByRole('navigation', { name: 'Main' }).getByText('Sign In')).toBeVisible()
        await expect(main(page).locator('[data-seen]'), path).toHaveCount(1)
        await expect(page.locator('html')).toHaveClass(theme === 'dark' ? 'dark' : '')
      }
    })
  }

  test.describe('before the app is there', () => {
    test('a search that was typed counts once it is', async ({ page }) => {
      const arrive = await holdBackTheApp(page)
      await page.goto('/get-quote', { waitUntil: 'commit' })
      await page.getByLabel('Search brands').fill('steam')
      arrive()
      await expect(page.getByRole('region', { name: 'All Brands' }).getByRole('listitem')).toHaveCount(1)
    })

    test('a form that was sent is sent once it is, and not into the address', async ({ page }) => {
      const arrive = await holdBackTheApp(page)
      await page.goto('/login', { waitUntil: 'commit' })
      await page.getByLabel('Email').fill('nobody@example.com')
      await page.getByLabel('Password').fill('my dear secret')
      await page.getByLabel('Password').press('Enter')
      arrive()
      await expect(page.getByText('Invalid credentials').first()).toBeVisible()
      expect(page.url()).not.toContain('secret')
    })
  })
})

async function expectCard(page: Page, address: string): Promise<void> {
  const canonical = await page.locator('link[rel="canonical"]').getAttribute('href')
  expect(canonical).toBe(address)
  expect((await page.locator('meta[name="description"]').getAttribute('content'))?.length).toBeGreaterThan(50)
  await expect(page.locator('meta[property="og:url"]')).toHaveAttribute('content', address)
  await expect(page.locator('meta[property="og:title"]')).toHaveAttribute('content', await page.title())
  const picture = await page.locator('meta[property="og:image"]').getAttribute('content')
  expect((await page.request.get(picture ?? '')).headers()['content-type']).toBe('image/png')
}

/** @returns lets it come */
async function holdBackTheApp(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(/\/assets\/index-[^/]+\.js$/, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

test.describe('the landing page', () => {
  test('makes its claims', async ({ page }) => {
    await page.goto('/')
    for (const [name, figure] of [
      ['supported brands', '50+'],
      ['average rate', '~95%'],
      ['cards traded', '10,000+'],
      ['paid out', '$2M+'],
      ['rating', '4.9/5'],
    ] as const) {
      const claim = main(page).locator('dl > div').filter({ hasText: name })
      await expect(claim.getByText(figure, { exact: true })).toBeVisible()
    }
    for (const promise of ['Instant quotes', 'Secure handling', 'Same-day payout']) {
      await expect(main(page).getByText(promise, { exact: true })).toBeVisible()
    }
    await expect(main(page).getByText(/No hidden fees, free processing/)).toBeVisible()
  })

  test('shows three examples, six brands with their rates, four steps and six payout methods', async ({
    page,
  }) => {
    await page.goto('/')
    const examples = page.getByRole('region', { name: 'Quick value calculator' }).getByRole('listitem')
    await expect(examples).toHaveText([
      /Amazon\$100\.00.*\$93\.00/,
      /iTunes\$50\.00.*\$45\.50/,
      /Steam\$25\.00.*\$22\.00/,
    ])
    const brands = page.getByRole('region', { name: 'Brands people sell most' }).getByRole('listitem')
    await expect(brands).toHaveText([
      /Amazon93%/,
      /Apple iTunes91%/,
      /Walmart91%/,
      /Starbucks89%/,
      /Steam88%/,
      /Target91%/,
    ])
    const steps = page.getByRole('region', { name: 'How It Works' }).getByRole('heading', { level: 3 })
    await expect(steps).toHaveText([
      'Select Your Card',
      'Get Instant Quote',
      'Upload & Verify',
      'Get Paid Fast',
    ])
    await expect(page.getByText(/within hours/)).toBeVisible()
    const methods = page.getByRole('region', { name: 'Paid the way you choose' }).getByRole('listitem')
    await expect(methods).toHaveText(['PayPal', 'Venmo', 'Zelle', 'Chime', 'Cash App', 'Bank Transfer'])
  })

  test('leads to the quote and down to how it works', async ({ page }) => {
    await page.goto('/')
    const steps = page.getByRole('heading', { name: 'How It Works' })
    await expect(steps).not.toBeInViewport()
    await page.getByRole('button', { name: 'How It Works' }).click()
    await expect(steps).toBeInViewport()
    await page.getByRole('link', { name: 'View All Supported Brands' }).click()
    await expect(page).toHaveURL(/\/get-quote$/)
    await page.getByRole('link', { name: 'Back to Home' }).click()
    await page.getByRole('link', { name: 'Get My Quote Now' }).first().click()
    await expect(page).toHaveURL(/\/get-quote$/)
  })

  test('offers an account to those who have none', async ({ page }) => {
    await page.goto('/')
    await page.getByRole('link', { name: 'Create Account' }).click()
    await expect(page).toHaveURL(/\/register$/)
    await register(page)
    await page.goto('/')
    await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible()
    await expect(page.getByRole('link', { name: 'Create Account' })).toHaveCount(0)
  })
})

test.describe('the top bar', () => {
  test('holds a place while the session loads', async ({ page }) => {
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

  test('marks Get Quote where one is, and leads home', async ({ page }) => {
    await page.goto('/faq')
    const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Get Quote' })
    await expect(link).not.toHaveAttribute('aria-current')
    await link.click()
    await expect(link).toHaveAttribute('aria-current', 'page')
    await page.getByRole('link', { name: 'Unspent', exact: true }).click()
    await expect(page).toHaveURL(/\/$/)
  })

  test('has a menu for those who are signed in, and keys to use it', async ({ page }) => {
    const seller = await register(page)
    await page.goto('/faq')
    const button = page.getByRole('button', { name: 'My Account' })
    await button.focus()
    await page.keyboard.press('Enter')
    const menu = page.getByRole('menu')
    await expect(menu.getByText(seller.firstName, { exact: true })).toBeVisible()
    await expect(menu.getByRole('menuitem')).toHaveText([
      'Transaction History',
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

  test('has its two links in a menu on a phone', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/')
    await page.getByRole('button', { name: 'Menu' }).click()
    await expect(page.getByRole('menuitem')).toHaveText(['Sign In', 'Sign Up'])
    await page.getByRole('menuitem', { name: 'Sign Up' }).click()
    await expect(page).toHaveURL(/\/register$/)
  })
})

test.describe('the footer', () => {
  const links = [
    ['Help Center', '/help'],
    ['Contact Us', '/contact'],
    ['FAQ', '/faq'],
    ['Terms of Service', '/terms'],
    ['Privacy Policy', '/privacy'],
    ['Security', '/security'],
    ['Sell Gift Cards', '/quote'],
    ['Status', '/help'],
    ['Trust & Safety', '/security'],
  ] as const

  test('leads where it says, to the top of the page', async ({ page }) => {
    test.setTimeout(120_000)
    const footer = page.getByRole('contentinfo')
    await page.goto('/')
    for (const column of ['Services', 'Support', 'Legal']) {
      await expect(footer.getByRole('heading', { name: column })).toBeVisible()
    }
    await expect(footer.getByText('© 2025 Unspent. All rights reserved.')).toBeVisible()
    for (const [name, path] of links) {
      const link = footer.getByRole('link', { name, exact: true })
      await link.scrollIntoViewIfNeeded()
      await link.click()
      await expect(page).toHaveURL(new RegExp(`${path}$`))
      await expect(main(page).getByRole('heading', { level: 1 })).toBeInViewport()
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
    }
  })

  test('leads to the top of the page one is on, too', async ({ page }) => {
    await page.goto('/faq')
    await page.getByRole('contentinfo').getByRole('link', { name: 'FAQ' }).click()
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0)
  })
})

test('going back finds the place one has left', async ({ page }) => {
  await page.goto('/terms')
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  const left = await page.evaluate(() => scrollY)
  expect(left).toBeGreaterThan(500)
  await page.getByRole('contentinfo').getByRole('link', { name: 'Privacy Policy' }).click()
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
  await expect(main(page).getByRole('link').first()).toBeFocused()
})

test('a screen that could not be fetched says so, and is there after loading it again', async ({
  page,
  complaints,
}) => {
  await page.goto('/')
  await page.route(/\/assets\/Faq-/, (route) => route.fulfill({ status: 404 }))
  await page.getByRole('contentinfo').getByRole('link', { name: 'FAQ' }).click()
  await expect(page.getByRole('heading', { name: 'This page did not load' })).toBeVisible()
  // The browser's own error reporting gets to know, once.
  expect(complaints.splice(0)).toEqual([
    expect.stringContaining('Failed to fetch dynamically imported module'),
  ])
  await page.unroute(/\/assets\/Faq-/)
  await page.getByRole('button', { name: 'Load again' }).click()
  await expect(page.getByRole('heading', { name: 'Frequently Asked Questions' })).toBeVisible()
})

test.describe('the 404 page', () => {
  for (const path of ['/no-such-page', '/faq/more', '/quote/amazon']) {
    test(`stands at ${path}`, async ({ page }) => {
      const answer = await page.goto(path)
      expect(answer?.status()).toBe(404)
      expect(answer?.headers()['x-robots-tag']).toBe('noindex')
      await expect(page.getByRole('heading', { name: 'This page does not exist' })).toBeVisible()
      await page.getByRole('link', { name: 'Back to Home' }).click()
      await expect(page).toHaveURL(/\/$/)
    })
  }
})

test.describe('looks', () => {
  for (const theme of ['light', 'dark'] as const) {
    for (const path of ['/', '/get-quote', '/contact', '/login', '/register', '/no-such-page']) {
      test(`${path} is accessible and fits a phone, ${theme}`, async ({ page }) => {
        await page.setViewportSize({ width: 360, height: 740 })
        await chooseTheme(page, theme)
        await page.goto(path)
        await expect(page.getByRole('button', { name: 'Menu' })).toBeVisible()
        await expectGoodLooks(page)
      })
    }
  }
})
