import { readFile } from 'node:fs/promises'
import { referenceOf } from '#domain/reference.ts'
import { expect, newSeller, test } from './fixtures.ts'
import { expectAccessible } from './looks.ts'
import { asStaff, move, signedUp, submitCard } from './sellers.ts'
import { inPagesOf, unreadable } from './staff-people.ts'

const columnsOf = (table: 'users' | 'transactions') => ({ name: table, exact: true })

test('lists, searches and pages users with the specified columns', async ({ page, browser, staffPage }) => {
  const context = await browser.newContext()
  const older = await signedUp(await context.newPage())
  const seller = await signedUp(page)
  await move(staffPage, await sold(page, staffPage), 'completed')
  await inPagesOf(staffPage, 1, '/api/admin/users')
  const nextPage = staffPage.waitForRequest(/api\/admin\/users\?.*cursor=/)
  await staffPage.goto('/admin?tab=users')
  const table = staffPage.getByRole('region', columnsOf('users'))
  await expect(table.getByRole('columnheader')).toHaveText([
    'ID',
    'Username',
    'Email',
    'Created',
    'Submissions',
    'Trades',
  ])
  const row = table.getByRole('row').filter({ hasText: seller.username })
  const cells = await row.getByRole('cell').allTextContents()
  expect(cells).toEqual([
    `${referenceOf(seller.id)}User`,
    `${seller.username}Sally Seller`,
    `${seller.email}Message`,
    expect.stringMatching(/^\d+:\d\d [AP]M$/),
    '1',
    '1',
  ])
  // The window has room for more than the one row of a page, so the next pages follow.
  await nextPage
  await expect(table.getByText(older.username, { exact: true })).toBeVisible()

  await staffPage.setViewportSize({ width: 1280, height: 360 })
  // More pages may follow below it.
  await table.getByText(older.username, { exact: true }).scrollIntoViewIfNeeded()
  await expect(table.getByText(older.username, { exact: true })).toBeInViewport({ ratio: 1 })
  await expect(table.getByRole('columnheader', { name: 'Username' })).toBeInViewport({ ratio: 1 })
  await staffPage.setViewportSize({ width: 1440, height: 900 })

  const compact = staffPage.getByRole('button', { name: 'Compact rows' })
  const comfortable = (await row.boundingBox())?.height ?? 0
  await compact.click()
  await expect.poll(async () => (await row.boundingBox())?.height).toBeLessThan(comfortable)
  await staffPage.reload()
  await expect(compact).toHaveAttribute('aria-pressed', 'true')

  await staffPage.getByRole('searchbox', { name: 'Search users' }).fill(seller.email.toUpperCase())
  await expect(staffPage).toHaveURL(/q=/)
  await expect(staffPage.getByText('1 user', { exact: true })).toBeVisible()
  await expectAccessible(staffPage)
  await staffPage.getByRole('link', { name: `Message to ${seller.username}` }).click()
  await expect(staffPage.getByRole('region', { name: `Conversation with ${seller.username}` })).toBeVisible()
  await staffPage.goBack()
  await staffPage.getByRole('searchbox', { name: 'Search users' }).fill('no such user')
  await expect(staffPage.getByText('No users found')).toBeVisible()
  await context.close()
})

test('lists, filters and exports transactions', async ({ page, staffPage }) => {
  // A spreadsheet would read this name as a formula.
  const seller = await signedUp(page, { ...newSeller(), username: `-2${newSeller().username}` })
  const id = await sold(page, staffPage)
  await move(staffPage, id, 'completed')
  await staffPage.goto(`/admin?tab=transactions&status=completed&q=${seller.username}`)
  const table = staffPage.getByRole('region', columnsOf('transactions'))
  await expect(table.getByRole('columnheader')).toHaveText(['ID', 'Gift card', 'Amount', 'Status', 'Created'])
  const listed = await staffPage.request.get(`/api/admin/transactions?q=${seller.username}`)
  const [transaction] = await listed.json()
  await expect(table.getByRole('row').nth(1).getByRole('cell')).toHaveText([
    `${referenceOf(transaction.id)}Sell`,
    `Amazon ${seller.username}`,
    '$93.00',
    'Completed',
    /^\d+:\d\d [AP]M$/,
  ])
  await expectAccessible(staffPage)

  const download = staffPage.waitForEvent('download')
  await staffPage.getByRole('link', { name: 'Export CSV' }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/\.csv$/)
  const [head, line, ...more] = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(head).toBe('id,createdAt,type,status,amount,brandName,username,giftCardId')
  expect(line).toContain(`,sell,completed,93.00,Amazon,'${seller.username},${id}`)
  expect(more).toEqual([])

  await staffPage.getByRole('searchbox', { name: 'Search transactions' }).fill(referenceOf(transaction.id))
  await expect(table.getByRole('row').nth(1)).toContainText(seller.username)
  await staffPage.getByLabel('Status').selectOption('Pending')
  await expect(staffPage).toHaveURL(/status=pending/)
  await expect(staffPage.getByText('No transactions found')).toBeVisible()
})

test('shows an empty role as user, and finds a user by a link', async ({ page, staffPage }) => {
  const seller = await signedUp(page)
  await asStaff(staffPage)
  const asked: string[] = []
  await staffPage.route('**/api/admin/users*', async (route) => {
    asked.push(new URL(route.request().url()).search)
    const body = await (await route.fetch()).text()
    await route.fulfill({
      contentType: 'application/json',
      body: body.replaceAll('"role":"user"', '"role":""'),
    })
  })
  await staffPage.goto(`/admin?tab=users&q=${seller.username}`)
  const row = staffPage.getByRole('region', columnsOf('users')).getByRole('row').nth(1)
  await expect(row.getByRole('cell').first()).toHaveText(/User$/)
  expect(new Set(asked)).toEqual(new Set([`?q=${seller.username}`]))
})

test('reports a list that cannot be loaded and retries', async ({ staffPage }) => {
  await asStaff(staffPage)
  await staffPage.route('**/api/admin/transactions*', unreadable)
  await staffPage.goto('/admin?tab=transactions')
  await expect(staffPage.getByRole('alert')).toContainText('The transactions could not be loaded.')
  await staffPage.unroute('**/api/admin/transactions*')
  await staffPage.getByRole('button', { name: 'Try again' }).click()
  await expect(staffPage.getByRole('alert')).toHaveCount(0)
})

async function sold(page: Parameters<typeof submitCard>[0], staffPage: typeof page): Promise<string> {
  await asStaff(staffPage)
  return submitCard(page)
}
