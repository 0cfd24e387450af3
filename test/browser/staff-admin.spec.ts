import { expect, test } from './desk.ts'
import { ADMIN_PASSWORD } from './fixtures.ts'
import { expectAccessible } from './looks.ts'
import { asStaff, expectToast, forgive, signedUp } from './sellers.ts'
import { command, enter, newAdministrator, screens, signedIn, unreadable } from './staff-people.ts'

const ENDED = 'Your session has ended. Please sign in again.'

test.describe('/admin/login', () => {
  test('has the specified fields and refuses with the specified texts', async ({ page }) => {
    await page.goto('/admin/login')
    await page.getByRole('link', { name: 'Return to Homepage' }).click()
    await expect(page).toHaveURL('/')
    await expect(page.getByRole('button', { name: 'How It Works' })).toBeVisible()
    await page.goBack()
    await expect(page.getByText(/restricted.*Unauthorized access attempts are logged/)).toBeVisible()
    await expect(page.getByRole('contentinfo')).toHaveCount(0)
    await expect(page.locator('html')).toHaveClass(/dark/)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Access Admin Panel' }).click()
    await expect(page.getByText('Username is required')).toBeVisible()
    await expect(page.getByText('Password is required')).toBeVisible()

    await enter(page, { username: 'admin', password: 'a guess' })
    await expectToast(page, 'Login Failed', 'Invalid admin credentials')
    await expect(page.getByText('Username or password is wrong.')).toBeVisible()
    await page.route('**/api/admin/login', unreadable)
    await page.getByRole('button', { name: 'Access Admin Panel' }).click()
    await expectToast(page, 'Login Failed', 'Login failed. Please check your credentials.')
    await page.unroute('**/api/admin/login')

    await enter(page, { username: 'admin', password: ADMIN_PASSWORD })
    await expectToast(page, 'Login Successful')
    await expect(page).toHaveURL(/\/admin(\?id=.+)?$/)
  })

  test('receives everyone who is not signed in and leads on after signing in', async ({ page }) => {
    let answer = () => {}
    const asked = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/admin/me', async (route) => {
      await asked
      await route.continue()
    })
    await page.goto('/admin?tab=users')
    await expect(page.getByText('Loading your session...')).toBeVisible()
    await expect(page).toHaveURL('/admin?tab=users')
    answer()
    await expect(page).toHaveURL('/admin/login')
    for (const path of ['/admin/chat', '/admin/brands', '/admin/audit', '/admin/security']) {
      await page.goto(path)
      await expect(page).toHaveURL('/admin/login')
    }
    await expect(page.getByText(/restricted/)).toBeVisible()
    await expect(page.getByText(ENDED)).toHaveCount(0)
    await enter(page, { username: 'admin', password: ADMIN_PASSWORD })
    await expect(page).toHaveURL('/admin/security')
  })
})

test('a payer starts at the payouts, and an unknown address leads back', async ({ page, database }) => {
  const petra = await newAdministrator(database)
  await command(database, 'set-role', petra.username, 'payer')
  await page.goto('/admin/login')
  await enter(page, petra)
  await expect(page).toHaveURL('/admin/payouts')
  await page.getByRole('button', { name: /^Account menu of/ }).click()
  await expect(page.getByRole('menu').getByText('Payer', { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await page.goto('/admin/nothing')
  await expect(page.getByRole('heading', { name: 'This page does not exist' })).toBeVisible()
  await page.getByRole('link', { name: 'Back to the desk' }).click()
  await expect(page).toHaveURL(/\/admin(\?id=.+)?$/)
})

test('keeps staff on their screen while the session cannot be checked', async ({ staffPage, complaints }) => {
  await asStaff(staffPage)
  await staffPage.route('**/api/admin/me', (route) => route.abort())
  await staffPage.goto('/admin?tab=users')
  await expect(staffPage.getByText("We can't reach the server")).toBeVisible()
  await expect(staffPage).toHaveURL('/admin?tab=users')
  await staffPage.unroute('**/api/admin/me')
  await staffPage.getByRole('button', { name: 'Try now' }).click()
  await expect(staffPage.getByRole('tab', { name: 'Users', selected: true })).toBeVisible()
  forgive(complaints, /net::ERR_FAILED/)
})

test.describe('the header of /admin', () => {
  test('shows the account and four tabs, beside a bar with the other screens', async ({ staffPage }) => {
    await asStaff(staffPage)
    let asked = 0
    staffPage.on('request', (request) => {
      if (new URL(request.url()).pathname === '/api/admin/me') asked += 1
    })
    await staffPage.goto('/admin')
    await expect(staffPage.getByText('Live', { exact: true })).toBeVisible()
    await expect(staffPage.getByRole('banner').getByText('Admin', { exact: true })).toBeVisible()
    await expect(staffPage.getByRole('tab')).toHaveText(['Submissions', 'Users', 'Transactions', 'Chat'])
    for (const [entry, address] of [
      ['Brands', '/admin/brands'],
      ['Audit log', '/admin/audit'],
      ['Dashboard', '/admin'],
    ] as const) {
      const link = screens(staffPage).getByRole('link', { name: entry })
      await link.click()
      // The desk adds the id of the open submission.
      await expect(staffPage).toHaveURL((url) => url.pathname === address)
      // Each screen has its own header: waits for the new one before the next press.
      const title = entry === 'Dashboard' ? 'Admin Dashboard' : entry
      await expect(staffPage.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
      await expect(link).toHaveAttribute('aria-current', 'page')
    }
    await staffPage.getByRole('tab', { name: 'Chat' }).click()
    const chat = staffPage.getByRole('tabpanel', { name: 'Chat' })
    await expect(chat.getByRole('link')).toHaveText(['Open Chat Management'])
    await chat.getByRole('link').click()
    await expect(staffPage).toHaveURL('/admin/chat')
    expect(asked, 'the session is asked for once in five minutes').toBe(1)
  })

  test('is in English, also for somebody who reads the site in Spanish', async ({ staffPage }) => {
    await staffPage.goto('/')
    await asStaff(staffPage)
    await signedUp(staffPage)
    await staffPage.route('**/api/auth/me', async (route) => {
      const { user } = await (await route.fetch()).json()
      await route.fulfill({ json: { user: { ...user, locale: 'es', showsAdminDashboard: true } } })
    })
    const isEnglish = async () => {
      await expect(staffPage.getByRole('combobox', { name: 'Status' })).toContainText('Waiting for Seller')
      await expect(staffPage.locator('html')).toHaveAttribute('lang', 'en')
    }
    await staffPage.goto('/es/faq')
    await staffPage.getByRole('link', { name: 'Panel de administración' }).click()
    await isEnglish()
    await staffPage.goBack()
    await expect(staffPage).toHaveURL('/es/faq')
    await expect(staffPage.locator('html')).toHaveAttribute('lang', 'es')
    await staffPage.goForward()
    await isEnglish()
  })

  test('stays in English after the language of the site was changed', async ({ page }) => {
    await page.goto('/admin/login')
    await page.getByRole('link', { name: 'Return to Homepage' }).click()
    await page.getByRole('contentinfo').getByRole('link', { name: 'Español' }).click()
    await expect(page).toHaveURL('/es')
    await page.goBack()
    await expect(page).toHaveURL('/admin/login')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await page.getByRole('button', { name: 'Access Admin Panel' }).click()
    await expect(page.getByText('Username is required')).toBeVisible()
  })

  test('warns while contact details are missing', async ({ staffPage }) => {
    await asStaff(staffPage)
    await staffPage.route('**/api/admin/unset-contacts', (route) =>
      route.fulfill({ json: ['SUPPORT_EMAIL'] }),
    )
    await staffPage.goto('/admin')
    await expect(staffPage.getByText('Not set: SUPPORT_EMAIL.')).toBeVisible()
    await expectAccessible(staffPage)
    await staffPage.unroute('**/api/admin/unset-contacts')
    await staffPage.reload()
    await expect(staffPage.getByRole('heading', { name: 'Admin Dashboard' })).toBeVisible()
    await expect(staffPage.getByText('Not set:')).toHaveCount(0)
  })

  test('shows that it is offline and reconnects', async ({ staffPage }) => {
    let cut = () => {}
    const reachable = Promise.withResolvers<void>()
    await staffPage.routeWebSocket('**/ws', async (socket) => {
      await reachable.promise
      socket.connectToServer()
      cut = () => void socket.close({ code: 1011 })
    })
    await asStaff(staffPage)
    await staffPage.goto('/admin')
    await expect(staffPage.getByText('Connecting', { exact: true })).toBeVisible()
    reachable.resolve()
    await expect(staffPage.getByText('Live', { exact: true })).toBeVisible()
    cut()
    await expect(staffPage.getByText('Offline', { exact: true })).toBeVisible()
    await expect(staffPage.getByText('Live', { exact: true })).toBeVisible()
  })

  test('forgets all fetched data at logout', async ({ page, staffPage }) => {
    const seller = await signedUp(page)
    await asStaff(staffPage)
    await staffPage.goto('/admin?tab=users')
    await expect(staffPage.getByText(seller.email)).toBeVisible()
    await staffPage.getByRole('button', { name: 'Logout' }).click()
    await expectToast(staffPage, 'Logged Out')
    await expect(staffPage).toHaveURL('/admin/login')
    await expect(staffPage.getByText(/restricted/)).toBeVisible()
    await expect(staffPage.getByText(ENDED)).toHaveCount(0)
    expect((await staffPage.request.get('/api/admin/users')).status()).toBe(401)

    await staffPage.route('**/api/admin/users*', () => {})
    await enter(staffPage, { username: 'admin', password: ADMIN_PASSWORD })
    await expect(staffPage.getByText('Loading the users')).toBeAttached()
    await expect(staffPage.getByText(seller.email)).toHaveCount(0)
  })

  test('shows the sign-in when the session was ended elsewhere', async ({ staffPage, database }) => {
    const administrator = await newAdministrator(database)
    await signedIn(staffPage, administrator)
    await staffPage.goto('/admin/brands')
    await expect(staffPage.getByText('Live', { exact: true })).toBeVisible()
    await command(database, 'disable', administrator.username)
    // Without any user input.
    await expect(staffPage).toHaveURL('/admin/login')
    await expect(staffPage.getByRole('alert')).toHaveText(ENDED)
    await staffPage.goto('/admin/audit')
    await expect(staffPage.getByRole('alert')).toHaveText(ENDED)
    await enter(staffPage, administrator)
    await expectToast(staffPage, 'Login Failed', 'Invalid admin credentials')
  })
})

test('the sign-in screen offers the provider, says why it let nobody in, and asks for the code', async ({
  staffPage,
}) => {
  await staffPage.goto('/admin/login')
  const link = staffPage.getByRole('link', { name: 'Sign In with Acme' })
  await expect(staffPage.getByLabel('Admin Username')).toBeVisible()
  await expect(link).toHaveCount(0)
  await staffPage.route('**/api/admin/oidc', (route) => route.fulfill({ json: { name: 'Acme' } }))
  await staffPage.goto('/admin/login?oidc=uninvited')
  await expect(link).toHaveAttribute('href', '/api/admin/oidc/start')
  await expect(staffPage.getByRole('alert')).toHaveText(/not on the staff/)
  await expectAccessible(staffPage)
  await staffPage.goto('/admin/login?oidc=<b>made up</b>')
  await expect(link).toBeVisible()
  await expect(staffPage.getByRole('alert')).toHaveCount(0)
  await staffPage.goto('/admin/login?oidc=code_needed')
  const code = staffPage.getByLabel('Authentication Code')
  await code.fill('123456')
  await staffPage.getByRole('button', { name: 'Access Admin Panel' }).click()
  await expect(code).toBeVisible()
  await staffPage.getByRole('link', { name: 'Back' }).click()
  await expect(staffPage.getByLabel('Admin Username')).toBeVisible()
})
