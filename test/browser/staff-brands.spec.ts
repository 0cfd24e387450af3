import { expect, test } from './desk.ts'
import { expectAccessible } from './looks.ts'
import { expectToast, signedUp, submitCard } from './sellers.ts'
import { inPagesOf, newAdministrator, signedIn, unreadable } from './staff-people.ts'

test('applies a changed brand to new quotes and honors quotes shown before', async ({
  page,
  browser,
  staffPage,
  database,
}) => {
  test.slow()
  await signedUp(page)
  await page.goto('/sell-card?brand=kroger&value=100&quote=87')
  const quoted = page.getByText('$87.00').first()
  await expect(quoted).toBeVisible()

  const administrator = await newAdministrator(database)
  await signedIn(staffPage, administrator)
  await staffPage.goto('/admin/brands')
  await expect(staffPage.getByText(/quotes already shown are honored for 15 minutes/)).toBeVisible()
  await staffPage.getByRole('searchbox', { name: 'Search brands' }).fill('kro')
  await expect(staffPage.getByText('1 brand', { exact: true })).toBeVisible()
  await expect(staffPage).toHaveURL('/admin/brands?q=kro')
  await expectAccessible(staffPage)
  await staffPage.getByRole('button', { name: 'Edit Kroger' }).click()
  const dialog = staffPage.getByRole('dialog', { name: 'Edit Kroger' })
  await staffPage.setViewportSize({ width: 1280, height: 600 })
  await expect(dialog.getByRole('button', { name: 'Save Changes' }), 'without scrolling').toBeInViewport({
    ratio: 1,
  })
  await dialog.getByLabel('Rate in percent').fill('101')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog.getByLabel('Rate in percent')).toHaveAccessibleDescription(/from 1 to 100/)
  await dialog.getByLabel('Rate in percent').fill('80.5')
  await expect(dialog.getByText('A $100 card pays $80.50, was $87.00')).toBeVisible()
  await dialog.getByLabel('Minimum').fill('500')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expect(dialog.getByLabel('Maximum')).toHaveAccessibleDescription(
    'The maximum must be above the minimum',
  )
  await dialog.getByLabel('Minimum').fill('20')
  await dialog.getByRole('button', { name: 'Save Changes' }).click()
  await expectToast(staffPage, 'Brand Updated', 'Kroger pays 80.50%, from $20 to $500.')
  await expect(staffPage.getByRole('row', { name: /Kroger/ })).toContainText('80.50%')

  // A field that is emptied is cleared, and not left as it was.
  for (const address of ['https://example.com/balance', '']) {
    await staffPage.getByRole('button', { name: 'Edit Kroger' }).click()
    await dialog.getByRole('textbox', { name: 'Balance page' }).fill(address)
    await dialog.getByRole('button', { name: 'Save Changes' }).click()
    await expect(dialog).toHaveCount(0)
    const brands: { value: string; balanceUrl: string | null }[] = await (
      await staffPage.request.get('/api/admin/brands')
    ).json()
    expect(brands.find(({ value }) => value === 'kroger')?.balanceUrl).toBe(address || null)
  }

  const other = await browser.newContext()
  const visitor = await other.newPage()
  await visitor.goto(new URL('/get-quote', page.url()).href)
  await visitor.getByRole('searchbox', { name: 'Search brands' }).fill('kroger')
  await visitor.getByRole('button', { name: /Kroger/ }).click()
  await visitor.getByLabel('Card value').fill('100')
  await expect(visitor.getByRole('region', { name: 'Your quote' })).toContainText('$80.50')
  await other.close()

  await expect(quoted).toBeVisible()
  await page.getByRole('button', { name: 'Continue to Submission' }).click()
  await expect(page.getByLabel('Card number')).toBeVisible()
  await submitCard(page, { brand: 'kroger', sellingPrice: '87.00', discountPercentage: '13.00' })
  const [{ amount }] = await (await page.request.get('/api/my-transactions')).json()
  expect(amount).toBe('87.00')

  await staffPage.getByRole('link', { name: 'Changes of Kroger' }).click()
  await expect(staffPage).toHaveURL('/admin/audit?subject=kroger')
  const entry = staffPage.getByRole('row').nth(3)
  await expect(entry).toContainText(administrator.username)
  await expect(entry).toContainText('Brand changed')
  await expect(entry).toContainText('Rate: 87% → 80.50%')
  await expect(entry).toContainText('Minimum: $50 → $20')
})

test('validates a new brand and offers it to sellers at once', async ({ page, staffPage, database }) => {
  const administrator = await newAdministrator(database)
  await signedIn(staffPage, administrator)
  await staffPage.goto('/admin/brands')
  const table = staffPage.getByRole('table')
  await table.hover()
  await staffPage.mouse.wheel(0, 10_000)
  await expect(table.getByRole('row').last()).toBeInViewport({ ratio: 1 })
  await expect(table.getByRole('columnheader', { name: 'Rate' })).toBeInViewport({ ratio: 1 })
  await staffPage.goto('/admin/brands?q=kohl')
  await staffPage.getByRole('button', { name: 'Add brand' }).click()
  const dialog = staffPage.getByRole('dialog', { name: 'Add a brand' })
  await dialog.getByLabel('Name').fill('Kohl’s')
  await expect(dialog.getByLabel('Slug')).toHaveValue('kohls')
  await dialog.getByRole('button', { name: 'Add Brand' }).click()
  await expect(dialog.getByLabel('Category')).toHaveAccessibleDescription('Please choose a category')
  await expectAccessible(staffPage)
  await dialog.getByLabel('Category').selectOption('Food & Drink')
  await dialog.getByLabel('Rate in percent').fill('80')
  await dialog.getByLabel('Minimum').fill('20')
  await dialog.getByLabel('Maximum').fill('300')
  await dialog.getByLabel('Popular brand').check()
  await dialog.getByRole('button', { name: 'Add Brand' }).click()
  await expect(dialog.getByLabel('Slug')).toHaveAccessibleDescription(
    /There is already a brand with this slug/,
  )
  const name = `Café ${administrator.username}`
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Add Brand' }).click()
  await expectToast(staffPage, 'Brand Added')
  await page.goto('/get-quote')
  await expect(page.getByRole('button', { name: new RegExp(name) }).first()).toBeVisible()
})

test('shows the audit log in plain words, with its filters in the address', async ({
  staffPage,
  database,
}) => {
  const administrator = await newAdministrator(database)
  await staffPage.request.post('/api/admin/login', { data: { ...administrator, password: 'a guess' } })
  await signedIn(staffPage, administrator)
  await inPagesOf(staffPage, 2, '/api/admin/audit')
  await staffPage.goto(`/admin/audit?subject=${administrator.username}`)
  const rows = staffPage.getByRole('region', { name: 'entries' }).getByRole('row')
  await expect(rows).toHaveCount(4)
  await expect(rows.nth(1)).toContainText(administrator.username)
  await expect(rows.nth(1)).toContainText('Signed in')
  await expect(rows.nth(2)).toContainText('Not signed in')
  await expect(rows.nth(2)).toContainText('Sign-in refused')
  await expectAccessible(staffPage)
  await expect(rows.nth(3)).toContainText('Operator, command line')
  await expect(rows.nth(3)).toContainText('Administrator created')
  await expect(staffPage.getByText('3 entries')).toBeVisible()

  await staffPage.getByLabel('What', { exact: true }).selectOption('Sign-in refused')
  await expect(staffPage).toHaveURL(/action=admin.sign_in_refused/)
  await expect(staffPage.getByText('1 entry')).toBeVisible()
  const today = await staffPage.evaluate(() => new Date().toLocaleDateString('sv'))
  await staffPage.getByLabel('From').fill(today)
  await staffPage.getByLabel('To', { exact: true }).fill(today)
  await expect(staffPage).toHaveURL(new RegExp(`from=${today}&to=${today}`))
  await expect(staffPage.getByText('1 entry')).toBeVisible()
  await staffPage.getByLabel('Who').fill('nobody')
  await expect(staffPage.getByText('No entries found')).toBeVisible()
  await staffPage.getByRole('button', { name: 'Clear filters' }).click()
  await expect(staffPage).toHaveURL('/admin/audit')
  await expect(rows.nth(4)).toBeVisible()

  await staffPage.unrouteAll()
  await staffPage.route('**/api/admin/audit*', unreadable)
  await staffPage.getByRole('button', { name: 'Refresh' }).click()
  await expect(staffPage.getByRole('alert')).toContainText('The entries could not be loaded.')
})
