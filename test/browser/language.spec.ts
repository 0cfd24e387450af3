import type { Page } from '@playwright/test'
import { screenList } from '#contract/screens.ts'
import { appSettled, expect, SELLER_PASSWORD, test } from './fixtures.ts'
import { expectNoHorizontalScroll } from './looks.ts'
import { expectToast, forgive, signedUp } from './sellers.ts'

const prerendered = screenList.filter((screen) => screen.prerendered)
const spanishPath = (path: string) => (path === '/' ? '/es' : `/es${path}`)
const title = (page: Page) => page.getByRole('main').getByRole('heading', { level: 1 })

/** Presses the link in the footer that is in every layout. */
async function switchTo(page: Page, language: 'English' | 'Español'): Promise<void> {
  await page.getByRole('contentinfo').getByRole('link', { name: language }).click()
}

/** Who is signed in is known once the app runs. Before, a link opens another document. */
async function appStarted(page: Page): Promise<void> {
  const bar = page.getByRole('navigation', { name: 'Main' })
  await expect(bar.getByRole('link', { name: 'Sign In' })).toBeVisible()
}

async function expectLanguage(page: Page, language: 'en' | 'es', path: string): Promise<void> {
  await expect(page.locator('html')).toHaveAttribute('lang', language)
  await expect(page).toHaveURL((url) => url.pathname + url.search === path)
}

test.describe('the switch', () => {
  test('keeps the screen and a half-filled form', async ({ page }) => {
    await page.goto('/register')
    await page.getByLabel('First name').fill('Lucía')
    await page.getByLabel('Email').fill('lucia@')
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page.getByText('Please enter a valid email')).toBeVisible()
    await expect(page.getByLabel('Last name')).toBeFocused()

    await switchTo(page, 'Español')
    await expectLanguage(page, 'es', '/es/register')
    await expect(page).toHaveTitle('Crear cuenta · Unspent')
    await expect(title(page)).toHaveText('Crear cuenta')
    await expect(page.getByLabel('Nombre', { exact: true })).toHaveValue('Lucía')
    await expect(page.getByLabel('Correo electrónico')).toHaveValue('lucia@')
    await expect(page.getByText('Escriba un correo electrónico válido')).toBeVisible()

    await switchTo(page, 'English')
    await expectLanguage(page, 'en', '/register')
    await expect(page).toHaveTitle('Create Account · Unspent')
    await expect(page.getByLabel('First name')).toHaveValue('Lucía')
    await expect(page.getByText('Please enter a valid email')).toBeVisible()
  })

  test('keeps what is chosen, the query and the way back', async ({ page }) => {
    await page.goto('/')
    await appStarted(page)
    await page.getByRole('main').getByRole('link', { name: 'Steam' }).click()
    // The address changes before the screen, and the landing page has a field with this name too.
    await expect(title(page)).toHaveText('Instant Quote Calculator')
    await expectLanguage(page, 'en', '/get-quote?brand=steam')
    await page.getByLabel('Card value').fill('100')
    await switchTo(page, 'Español')
    await expectLanguage(page, 'es', '/es/get-quote?brand=steam')
    await expect(page.getByLabel('Valor de la tarjeta')).toHaveValue('100')
    await expect(page.getByRole('status').or(page.locator('output'))).toContainText(['Usted recibe$88.00'])

    await page.goBack()
    await expectLanguage(page, 'es', '/es')
    await expect(title(page)).toHaveText('Esa tarjeta que no va a usar vale dinero hoy mismo.')
    await page.goForward()
    await expectLanguage(page, 'es', '/es/get-quote?brand=steam')
    await page.getByRole('link', { name: 'Unspent', exact: true }).click()
    await expectLanguage(page, 'es', '/es')
    await page.reload()
    await expectLanguage(page, 'es', '/es')
  })

  test('says so while offline, keeps the page, and works once the connection is back', async ({
    page,
    context,
    complaints,
  }) => {
    await page.goto('/register')
    await appStarted(page)
    // The first press fetches the toaster.
    const toaster = page.waitForResponse(/\/assets\/Toaster-/)
    await page.getByLabel('First name').pressSequentially('Lucía')
    await (await toaster).finished()
    await context.setOffline(true)
    await switchTo(page, 'Español')
    await expectToast(page, 'Not Loaded')
    await expectLanguage(page, 'en', '/register')
    await context.setOffline(false)
    await switchTo(page, 'Español')
    await expectLanguage(page, 'es', '/es/register')
    await expect(page.getByLabel('Nombre', { exact: true })).toHaveValue('Lucía')
    forgive(complaints, /ERR_INTERNET_DISCONNECTED/)
  })

  test('is saved for a signed-in seller', async ({ page, browser, site }) => {
    const { email } = await signedUp(page)
    await page.goto('/faq')
    await expect(page.getByRole('button', { name: 'My Account' })).toBeVisible()
    await switchTo(page, 'Español')
    await expectLanguage(page, 'es', '/es/faq')
    await expect(page.getByRole('button', { name: 'Mi cuenta' })).toBeVisible()

    const other = await browser.newPage({ baseURL: site })
    await other.goto('/login')
    await other.getByLabel('Email').fill(email)
    await other.getByLabel('Password').fill(SELLER_PASSWORD)
    await other.getByRole('button', { name: 'Sign In', exact: true }).click()
    await expectLanguage(other, 'es', '/es')
    await other.close()
  })

  test('is in the menu on phones', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/login')
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('menuitem', { name: 'Español' }).click()
    await expectLanguage(page, 'es', '/es/login')
    await expect(title(page)).toHaveText('Iniciar sesión')
  })
})

test.describe('prerendered pages in Spanish', () => {
  test.describe('without JavaScript', () => {
    test.use({ javaScriptEnabled: false })

    test('can be read and name their other language', async ({ page, site }) => {
      for (const { path, canonical = path } of prerendered) {
        await page.goto(path)
        const english = await title(page).innerText()
        await expectAlternates(page, site, canonical, `${site}${canonical}`)
        const answer = await page.goto(spanishPath(path))
        await expectLanguage(page, 'es', spanishPath(path))
        await expect(title(page), path).not.toHaveText(english)
        expect(await answer?.text()).toMatch(/<noscript>.*necesitan JavaScript/s)
        await expectAlternates(page, site, canonical, `${site}${spanishPath(canonical)}`)
      }
    })
  })

  test('are hydrated without changes', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    for (const { path } of prerendered) {
      await page.goto(spanishPath(path))
      await title(page).evaluate((heading) => heading.setAttribute('data-seen', ''))
      // Only the app knows the session, so this means that it has started.
      await expect(page.getByRole('button', { name: 'Menú' })).toBeVisible()
      await expect(page.locator('[data-seen]'), path).toHaveCount(1)
      await expectNoHorizontalScroll(page)
    }
  })

  test('have unique descriptions of the length that search results show', async ({ request }) => {
    const indexed = prerendered.filter((screen) => screen.indexed)
    const texts = new Set<string>()
    for (const { path } of indexed) {
      const html = await (await request.get(spanishPath(path))).text()
      texts.add(/<meta name="description" content="(.*?)"/.exec(html)?.[1] ?? '')
    }
    expect(texts.size).toBe(indexed.length)
    expect([...texts].filter((text) => text.length < 50 || text.length > 160)).toEqual([])
  })
})

async function expectAlternates(page: Page, site: string, path: string, canonical: string): Promise<void> {
  const addressOf = (selector: string) => page.locator(`link${selector}`).getAttribute('href')
  expect(await addressOf('[rel="canonical"]')).toBe(canonical)
  expect(await addressOf('[hreflang="en"]')).toBe(`${site}${path}`)
  expect(await addressOf('[hreflang="es"]')).toBe(`${site}${spanishPath(path)}`)
  expect(await addressOf('[hreflang="x-default"]')).toBe(`${site}${path}`)
}

test.describe('a browser that prefers Spanish', () => {
  test.use({ locale: 'es-MX' })

  test('is offered Spanish on English pages, until it is dismissed', async ({ page }) => {
    await page.goto('/faq')
    const hint = page.getByRole('complementary', { name: 'Español' })
    await hint.getByRole('link', { name: 'Ver esta página en español' }).click()
    await expect(page).toHaveURL('/es/faq')
    await expect(hint).toHaveCount(0)
    await page.goto('/faq')
    await hint.getByRole('button', { name: 'Cerrar' }).click()
    await expect(hint).toBeHidden()
    await page.reload()
    await appSettled(page)
    await expect(hint).toBeHidden()
  })
})

test('an unknown Spanish address gets the 404 page in Spanish', async ({ page, complaints }) => {
  expect((await page.goto('/es/nada'))?.status()).toBe(404)
  await expect(title(page)).toHaveText('Esta página no existe')
  await page.getByRole('main').getByRole('link', { name: 'Volver al inicio' }).click()
  await expectLanguage(page, 'es', '/es')
  forgive(complaints, /404/)
})

test('the staff area is in English', async ({ page }) => {
  await page.goto('/es/admin')
  await expectLanguage(page, 'en', '/admin/login')
  await expect(page.getByLabel('Admin Username')).toBeVisible()
})

test('emailed links open in Spanish', async ({ page }) => {
  await page.goto('/es/reset-password?token=abc')
  await expect(title(page)).toHaveText('Elija una contraseña nueva')
  await expect(page.getByLabel('Repita la contraseña nueva')).toBeVisible()
  await page.goto('/es/restore-email?token=abc')
  await expect(page.getByRole('button', { name: 'Recuperar correo' })).toBeVisible()
  await page.goto('/es/confirm-email')
  await expect(page.getByText('El enlace está incompleto.')).toBeVisible()
})
