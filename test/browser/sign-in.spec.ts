import type { Page } from '@playwright/test'
import { letItShow, skipTime, stopTheClock } from './clock.ts'
import { expect, fillRegistration, newSeller, test } from './fixtures.ts'
import { expectToast, forgive, signedUp } from './sellers.ts'

const bar = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const button = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password').fill(password)
  await button(page, 'Sign In').click()
}

/** Registers a seller and opens /login, optionally with an address to return to. */
async function atLogin(page: Page, returnTo?: string) {
  const seller = await signedUp(page)
  await page.request.post('/api/auth/logout')
  await page.goto('/login')
  if (returnTo) await page.evaluate((to) => sessionStorage.setItem('redirectAfterLogin', to), returnTo)
  return seller
}

/** Signs in with the clock stopped, so that only the test advances time. */
async function signInOutOfTime(page: Page, seller: { email: string; password: string }): Promise<void> {
  // The app starts with a frame, and the clock stops frames too. The session is known once it has started.
  await expect(bar(page).getByRole('link', { name: 'Sign In' })).toBeVisible()
  await stopTheClock(page)
  const answered = page.waitForResponse('**/api/auth/login')
  await signIn(page, seller)
  await (await answered).finished()
}

test.describe('/login', () => {
  test('shows the error at each field and links to /register', async ({ page }) => {
    await page.goto('/login')
    await button(page, 'Sign In').click()
    await expect(page.getByText('Please enter a valid email', { exact: true })).toBeVisible()
    await expect(page.getByText('Password is required', { exact: true })).toBeVisible()
    await expect(page.getByLabel('Email')).toBeFocused()
    // Passkeys do not work at an IP address.
    await expect(page.getByText('Sign In with a Passkey')).toBeHidden()
    await page.getByRole('link', { name: 'Create an account' }).click()
    await expect(page).toHaveURL(/\/register$/)
    await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
    await expect(page).toHaveURL(/\/login$/)
  })

  test('keeps saying that the password is wrong when the toast is gone', async ({ page, complaints }) => {
    const seller = await atLogin(page)
    await signIn(page, { ...seller, password: 'not the one at all' })
    await expectToast(page, 'Login failed', 'Invalid credentials')
    const form = page.getByRole('main').locator('form')
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await expect(form).toContainText('Email or password is wrong. Try again, or set a new password.')
    await expect(form.getByRole('link', { name: 'set a new password' })).toHaveAttribute(
      'href',
      '/forgot-password',
    )
    forgive(complaints, /401/)
  })

  test('offers an account first on the way to selling a card', async ({ page }) => {
    await page.goto('/sell-card?brand=amazon&value=100&quote=93')
    const main = page.getByRole('main')
    await expect(main.getByText('Your quote is kept')).toBeVisible()
    await main.getByRole('link', { name: 'Create Account' }).click()
    await expect(page).toHaveURL(/\/register$/)
    await expect(main.getByText('Your quote is kept')).toBeVisible()
  })

  test("shows the server's message or a default, and can be retried", async ({ page, complaints }) => {
    const seller = await atLogin(page)
    const answers = [
      {
        status: 429,
        json: { code: 'too_many_requests', message: 'Too many attempts. Try again in 5 minutes.' },
      },
      { status: 500, body: '<h1>Bad gateway</h1>' },
    ]
    await page.route('**/api/auth/login', (route) => {
      const answer = answers.shift()
      return answer ? route.fulfill(answer) : route.continue()
    })
    await signIn(page, seller)
    await expectToast(page, 'Login failed', 'Too many attempts. Try again in 5 minutes.')
    await button(page, 'Sign In').click()
    await expectToast(page, 'Login failed', 'Invalid credentials')
    await expect(page.getByText('Bad gateway')).toHaveCount(0)
    await page.context().setOffline(true)
    await button(page, 'Sign In').click()
    await expectToast(page, 'Login failed', 'We could not be reached. Check your connection and try again.')
    await page.context().setOffline(false)
    await button(page, 'Sign In').click()
    await expectToast(page, 'Welcome back!', 'You have been logged in successfully.')
    await expect(bar(page).getByRole('button', { name: 'My Account' })).toBeVisible()
    forgive(complaints, /500|ERR_INTERNET_DISCONNECTED/)
  })

  test('can show the password', async ({ page }) => {
    await page.goto('/login')
    const password = page.getByLabel('Password')
    await password.fill('a quite good password')
    await expect(password).toHaveAttribute('type', 'password')
    await page.getByRole('button', { name: 'Show password' }).click()
    await expect(password).toHaveAttribute('type', 'text')
    await expect(password).toHaveValue('a quite good password')
    await page.getByRole('button', { name: 'Hide password' }).click()
    await expect(password).toHaveAttribute('type', 'password')
  })

  test('goes home after half a second', async ({ page }) => {
    await page.clock.install()
    const seller = await atLogin(page)
    await signInOutOfTime(page, seller)
    const passed = await letItShow(page, 'Welcome back!')
    await page.clock.runFor(Math.max(0, 450 - passed))
    expect(new URL(page.url()).pathname).toBe('/login')
    await page.clock.runFor(100 + passed)
    await expect(page).toHaveURL(/\/$/)
  })

  test('goes to a kept address after a second', async ({ page }) => {
    await page.clock.install()
    const seller = await atLogin(page, '/profile')
    await signInOutOfTime(page, seller)
    const passed = await letItShow(page, 'Welcome back!')
    await page.clock.runFor(Math.max(0, 950 - passed))
    expect(new URL(page.url()).pathname).toBe('/login')
    await page.clock.runFor(100 + passed)
    await expect(page).toHaveURL(/\/profile$/)
  })

  test('does not redirect someone who has left the screen', async ({ page }) => {
    await page.clock.install()
    const seller = await atLogin(page, '/profile')
    await signInOutOfTime(page, seller)
    await letItShow(page, 'Welcome back!')
    await bar(page).getByRole('link', { name: 'Get Quote' }).click()
    await letItShow(page, 'Instant Quote Calculator')
    await skipTime(page, 5_000)
    await expect(page).toHaveURL(/\/get-quote$/)
  })

  test('does not follow an address on another site or back to /login', async ({ page, site }) => {
    const seller = await atLogin(page)
    for (const address of ['//evil.example/', '/\\evil.example', 'java\tscript:alert(1)', '/login']) {
      // Away from the app first, which would open its WebSocket without a session.
      await page.goto('about:blank')
      await page.context().clearCookies()
      await page.goto('/login')
      await page.evaluate((to) => sessionStorage.setItem('redirectAfterLogin', to), address)
      // The start of the app moves the form down, because somebody on the way reads more above it.
      await expect(bar(page).getByRole('link', { name: 'Sign In' })).toBeVisible()
      await signIn(page, seller)
      await expectToast(page, 'Welcome back!')
      await expect(page, address).toHaveURL(`${site}/`)
      expect(await page.evaluate(() => sessionStorage.length), address).toBe(0)
    }
  })

  test('redirects signed-in sellers home, as does /register', async ({ page, site }) => {
    await signedUp(page)
    for (const path of ['/login', '/register']) {
      await page.goto(path)
      await expect(page).toHaveURL(`${site}/`)
    }
  })
})

test("/register shows the server's message or a default", async ({ page, complaints }) => {
  const first = await signedUp(page)
  await page.request.post('/api/auth/logout')
  await page.goto('/register')
  const password = page.getByLabel('Password')
  await expect(password).toHaveAccessibleDescription('At least 8 characters')
  await password.fill('short')
  await button(page, 'Create Account').click()
  // The error replaces the hint.
  await expect(password).toHaveAccessibleDescription('Password must be at least 8 characters')
  await fillRegistration(page, { ...newSeller(), username: first.username.toUpperCase() })
  await button(page, 'Create Account').click()
  await expectToast(page, 'Registration failed', 'username')
  await expect(page.getByLabel('Username')).toBeFocused()
  await page.getByLabel('Username').fill('admin')
  await button(page, 'Create Account').click()
  await expect(page.getByLabel('Username')).toBeFocused()
  await page.route('**/api/auth/register', (route) => route.fulfill({ status: 503, body: 'down' }))
  await page.getByLabel('Username').fill(newSeller().username)
  await button(page, 'Create Account').click()
  await expectToast(page, 'Registration failed', 'Failed to create account')
  await page.unroute('**/api/auth/register')
  await button(page, 'Create Account').click()
  await expectToast(page, 'Welcome to Unspent!', 'Your account has been created successfully.')
  await expect(page).toHaveURL(/\/$/)
  forgive(complaints, /503/)
})
