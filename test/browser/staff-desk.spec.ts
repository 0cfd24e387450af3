import { readFile } from 'node:fs/promises'
import type { Locator } from '@playwright/test'
import { referenceOf } from '#domain/reference.ts'
import { eraseSecrets } from '#server/features/submissions/erase.ts'
import { createDatabase } from '#server/platform/database/pool.ts'
import { transaction } from '#server/platform/database/transaction.ts'
import { readWords } from '#words/catalogs.ts'
import { cardsOf, expect, isLive, listOf, openSubmission, rowsOf, test } from './desk.ts'
import { expectAccessible } from './looks.ts'
import { asStaff, expectToast, forgive, move } from './sellers.ts'
import { screens } from './staff-people.ts'

// Several browsers at once are slow on a busy machine.
test.describe.configure({ timeout: 180_000 })

test.beforeEach(({ staffPage }) => asStaff(staffPage))

/** The categories of reasons and their sizes. */
const REASONS = [
  ['Image Quality Issues', 6],
  ['Card Validity Issues', 6],
  ['Account/Usage Issues', 4],
  ['Card Type Restrictions', 4],
  ['Special Instructions', 4],
] as const

test('asks to sign in and has four tabs', async ({ page, staffPage }) => {
  await page.goto('/admin')
  await expect(page).toHaveURL(/\/admin\/login$/)

  await staffPage.goto('/admin')
  await isLive(staffPage)
  const header = staffPage.getByRole('banner')
  await expect(header.getByText('admin', { exact: true })).toBeVisible()
  await expect(header.getByText('Admin', { exact: true })).toBeVisible()
  await expect(header.getByText('Owner', { exact: true })).toBeVisible()
  await expect(staffPage.getByRole('tab')).toHaveText(['Submissions', 'Users', 'Transactions', 'Chat'])
  await expect(staffPage.getByRole('contentinfo')).toHaveCount(0)
  await staffPage.getByRole('tab', { name: 'Chat' }).click()
  await staffPage.getByRole('link', { name: 'Open Chat Management' }).click()
  await expect(staffPage).toHaveURL(/\/admin\/chat$/)
  await staffPage.goto('/admin')
  await header.getByRole('button', { name: 'Logout' }).click()
  await expect(staffPage).toHaveURL(/\/admin\/login$/)
})

test('has a skip link, and moves the focus to the next screen', async ({ staffPage }) => {
  await staffPage.goto('/admin')
  await isLive(staffPage)
  const main = staffPage.getByRole('main')
  await staffPage.keyboard.press('Tab')
  await expect(staffPage.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await staffPage.keyboard.press('Enter')
  await expect(main).toBeFocused()
  // This key removes the panel that has the focus.
  await staffPage.keyboard.press('/')
  await staffPage.keyboard.press('Escape')
  await staffPage.keyboard.press('3')
  await expect(staffPage.getByRole('tab', { name: 'Transactions' })).toBeFocused()
  await screens(staffPage).getByRole('link', { name: 'Brands' }).press('Enter')
  await expect(staffPage.getByRole('heading', { level: 1, name: 'Brands' })).toBeFocused()
  await screens(staffPage).getByRole('link', { name: 'Dashboard' }).press('Enter')
  await expect(staffPage.getByRole('heading', { level: 1, name: 'Admin Dashboard' })).toBeFocused()
})

test('keeps the header and the other tabs when a tab crashes or fails to load', async ({
  staffPage,
  complaints,
}) => {
  await staffPage.route('**/api/admin/users*', (route) => route.fulfill({ json: [null] }))
  await staffPage.goto('/admin?tab=users')
  const broken = staffPage.getByRole('heading', { name: 'This page did not load' })
  await expect(broken).toBeVisible()
  await isLive(staffPage)
  await expect(staffPage.getByRole('heading', { level: 1 })).toHaveText(['Admin Dashboard'])
  await expect(staffPage.getByRole('button', { name: 'Logout' })).toBeVisible()
  await staffPage.getByRole('tab', { name: 'Transactions' }).click()
  await expect(broken).toBeHidden()
  await staffPage.route(/assets\/Brands-.*\.js/, (route) => route.abort())
  await screens(staffPage).getByRole('link', { name: 'Brands' }).click()
  await expect(broken).toBeVisible()
  await expect(staffPage.getByRole('heading', { level: 1 })).toHaveText(['Admin'])
  await isLive(staffPage)
  forgive(complaints, /null|Failed to (load|fetch)/)
})

test('finds ids, brands, numbers, people and amounts, with the filters in the address', async ({
  page,
  staffPage,
}) => {
  const { seller, ids } = await cardsOf(
    page,
    // With a letter, because random usernames may contain any four digits.
    { cardNumber: '7777 8888 9999 43Q1' },
    { brand: 'steam', denomination: '51.25', sellingPrice: '45.10', discountPercentage: '12.00' },
  )
  await staffPage.goto('/admin')
  const search = staffPage.getByRole('searchbox', { name: 'Search submissions' })
  const mine = rowsOf(staffPage).filter({ hasText: seller.username })
  for (const [text, brands] of [
    [ids[1] ?? '', ['Steam']],
    [referenceOf(ids[1] ?? ''), ['Steam']],
    ['43Q1', ['Amazon']],
    ['77778888999943Q1', ['Amazon']],
    ['51.25', ['Steam']],
    ['$45.10', ['Steam']],
    [seller.email.toUpperCase(), ['Steam', 'Amazon']],
    [seller.username, ['Steam', 'Amazon']],
  ] as const) {
    await search.fill(text)
    await expect(mine).toHaveText(brands.map((brand) => new RegExp(brand)))
    await expect(staffPage).toHaveURL(new RegExp(`q=${encodeURIComponent(text).replace('.', '\\.')}`, 'i'))
  }
  await search.fill('steam')
  await expect(mine).toHaveText([/Steam/])
  await search.fill('%')
  await expect(staffPage.getByText('No submission matches')).toBeVisible()

  await move(staffPage, ids[0] ?? '', 'processing')
  await search.fill(seller.username)
  await expect(mine).toHaveCount(2)
  await staffPage.getByLabel('Status', { exact: true }).selectOption('Processing')
  await expect(mine).toHaveText([/Amazon.*Processing/])
  const linked = staffPage.url()
  await staffPage.getByLabel('Status', { exact: true }).selectOption('Any status')
  await staffPage.getByLabel('Brand').selectOption('Steam')
  await expect(mine).toHaveText([/Steam/])
  await staffPage.goto(linked)
  await expect(mine).toHaveText([/Amazon/])
  await staffPage.getByRole('button', { name: 'Clear filters' }).click()
  await expect(staffPage.getByLabel('Status', { exact: true })).toHaveValue('')
})

test('keeps the submission open until the search result arrives, and then opens the first hit', async ({
  page,
  staffPage,
}) => {
  const { seller, ids } = await cardsOf(
    page,
    { cardNumber: '6006 4930 1234 5678' },
    { brand: 'steam', denomination: '50.00', sellingPrice: '44.00' },
  )
  await staffPage.goto(`/admin?q=${seller.username}&id=${ids[0]}`)
  await isLive(staffPage)
  const desk = openSubmission(staffPage)
  const search = staffPage.getByRole('searchbox', { name: 'Search submissions' })
  const number = desk.getByText('6006 4930 1234 5678')
  /** Searches and holds back the answer. @returns a function that releases it */
  const ask = async (text: string) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    const url = `**/api/admin/submissions?*q=${encodeURIComponent(text)}*`
    await staffPage.route(url, (route) => promise.then(() => route.continue()))
    const asked = staffPage.waitForRequest(url)
    await search.fill(text)
    await search.press('Enter')
    await asked
    return resolve
  }

  await desk.getByRole('button', { name: 'Reveal' }).click()
  await expect(number).toBeVisible()
  const mail = await ask(seller.email)
  await expect(number).toBeVisible()
  // It may be about to close, so nothing can be decided on it.
  await staffPage.keyboard.press('r')
  await expect(staffPage.getByText('R was not used')).toBeVisible()
  mail()
  await expect(staffPage).toHaveURL(new RegExp(`id=${ids[1]}`))
  await expect(desk.getByRole('heading', { name: 'Steam' })).toBeVisible()
  await expect(staffPage.getByRole('dialog')).toHaveCount(0)

  const other = await ask(ids[0] ?? '')
  await expect(desk.getByRole('heading', { name: 'Steam' })).toBeVisible()
  other()
  await expect(staffPage).toHaveURL(new RegExp(`id=${ids[0]}`))
  await expect(desk.getByRole('heading', { name: 'Amazon' })).toBeVisible()
  const nothing = await ask('nosuchcard')
  await expect(desk.getByRole('heading', { name: 'Amazon' })).toBeVisible()
  nothing()
  await expect(desk).toHaveCount(0)
})

test('keeps text typed during a search until it is changed elsewhere', async ({ page, staffPage }) => {
  const { seller } = await cardsOf(page, {})
  // Types one more letter at the moment the address changes.
  await staffPage.addInitScript(() => {
    const replace = history.replaceState.bind(history)
    let typed = false
    history.replaceState = (...step: Parameters<typeof replace>) => {
      replace(...step)
      const field = document.querySelector<HTMLInputElement>('input[type=search]')
      if (typed || !field || !String(step[2]).includes('q=')) return
      typed = true
      field.setRangeText('!', field.value.length, field.value.length, 'end')
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    }
  })
  await staffPage.goto('/admin')
  const search = staffPage.getByRole('searchbox', { name: 'Search submissions' })
  await search.pressSequentially(seller.username)
  await expect(staffPage).toHaveURL(new RegExp(`q=${seller.username}%21`))
  await expect(search).toHaveValue(`${seller.username}!`)
  await search.press('End')
  await search.pressSequentially('?')
  await staffPage.getByRole('button', { name: 'Clear filters' }).click()
  await expect(search).toHaveValue('')
  await expect(rowsOf(staffPage).first()).toBeVisible()
  await expect(staffPage).not.toHaveURL(/q=/)
})

test('shows the details of a submission and its images, which open and download', async ({
  page,
  staffPage,
}) => {
  const { seller, id, view } = await cardsOf(page, {
    cardNumber: '6006 4930 1234 5678',
    expirationDate: '12/29',
  })
  await staffPage.goto(view)
  const desk = openSubmission(staffPage)
  for (const text of [
    ...['Amazon', '$100.00', '$93.00', '•••• 5678', '12/29', 'Physical', 'Brand New', 'A birthday present'],
    ...[
      'PayPal',
      'Sally Seller',
      seller.email,
      'Email not confirmed',
      referenceOf(id),
      '1 submission, 0 completed, 0 rejected',
    ],
  ]) {
    await expect(desk.getByText(text, { exact: true }).first()).toBeVisible()
  }
  await expectAccessible(staffPage)

  await desk.getByRole('button', { name: 'Open photo 1' }).click()
  const viewer = staffPage.getByRole('dialog', { name: 'Photos of the Amazon card' })
  await expect(viewer.getByRole('button', { name: 'Close' })).toBeFocused()
  const photo = viewer.getByRole('img', { name: 'Number 1 of the submission' })
  await expect.poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(320)
  await viewer.getByRole('button', { name: 'Zoom in' }).click()
  await expect(viewer.getByText('140%')).toBeVisible()
  await viewer.getByRole('button', { name: 'Close' }).click()
  await expect(viewer).toBeHidden()
  const downloading = staffPage.waitForEvent('download')
  await desk.getByRole('link', { name: 'Download photo 1' }).click()
  const bytes = await readFile(await (await downloading).path())
  expect([...bytes.subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff])
})

test('hides an image that does not load, and says when there is none', async ({
  page,
  staffPage,
  complaints,
}) => {
  const { view } = await cardsOf(page, {})
  await staffPage.route('**/api/admin/view/**', (route) => route.fulfill({ status: 500 }))
  await staffPage.goto(view)
  await expect(openSubmission(staffPage).getByText('The images could not be loaded')).toBeVisible()
  await expect(openSubmission(staffPage).getByRole('img')).toHaveCount(0)
  await staffPage.route(/api\/admin\/submissions/, async (route) => {
    // Once live, the screen refetches and drops earlier requests.
    const answer = await route
      .fetch()
      .then((response) => response.text())
      .catch(() => undefined)
    if (answer === undefined) return
    const body = answer.replace(/"(imageUrl|images)":\["[^\]]*\]/g, '"$1":[]')
    const contentType = 'application/json'
    await route.fulfill({ contentType, body: body.replaceAll('"status":"pending"', '"status":"on_hold"') })
  })
  await staffPage.reload()
  const desk = openSubmission(staffPage)
  await expect(desk.getByText('No verification images uploaded')).toBeVisible()
  // An unknown status is shown and moved as pending.
  await expect(desk.getByText('Pending', { exact: true }).first()).toBeVisible()
  await expect(desk.getByRole('button', { name: 'Approve & Complete' })).toBeEnabled()
  forgive(complaints, /500/)
})

test('says when secrets were erased and shows what is left', async ({ page, staffPage, database }) => {
  const { id, view } = await cardsOf(page, { securityCode: '9876' })
  await move(staffPage, id, 'completed')
  await database.query('delete from photos where gift_card_id = $1', [id])
  await transaction(createDatabase(database), (tx) => eraseSecrets(tx, [id]))
  await staffPage.goto(view)
  const desk = openSubmission(staffPage)
  await expect(desk.getByText('Secrets erased')).toBeVisible()
  await expect(desk.getByText('•••• 5678')).toBeVisible()
  await expect(desk.getByText('Erased', { exact: true })).toBeVisible()
  await expect(desk.getByText('The images were erased')).toBeVisible()
  await expect(desk.getByRole('button', { name: 'Reveal' })).toHaveCount(0)
  await expectAccessible(staffPage)
})

test('has a button for every move and asks for a reason or question', async ({ page, staffPage }) => {
  const { id } = await cardsOf(page, {})
  await staffPage.goto(`/admin?q=${id}`)
  const desk = openSubmission(staffPage)
  const moves = desk.getByRole('group', { name: 'Status' }).getByRole('button')
  const dialog = staffPage.getByRole('dialog')
  const press = (name: string) => desk.getByRole('button', { name }).click()
  const expectStatus = async (status: string, ...buttons: string[]) => {
    await expectToast(staffPage, 'Status Updated', `Amazon is now ${status}.`)
    await expect(moves).toHaveText(buttons.map((label) => new RegExp(`^${label}`)))
  }
  const revert = async (reason = '') => {
    await press('Revert to Processing')
    await dialog.getByLabel('Reason').fill(reason)
    await dialog.getByRole('button', { name: 'Revert to Processing' }).click()
    await expectStatus('Processing', 'Mark Complete', 'Mark Failed')
  }
  const pending = ['Start Processing', 'Approve & Complete', 'Reject', 'Request Information', 'Make Offer']
  await expect(moves).toHaveText(pending.map((label) => new RegExp(`^${label}`)))

  await press('Request Information')
  await expect(dialog.getByRole('combobox', { name: 'Find a question' })).toBeFocused()
  await dialog.getByRole('button', { name: 'Request Information' }).press('Enter')
  await expect(dialog.getByText('Please write the question for the seller')).toBeVisible()
  await dialog.getByRole('combobox', { name: 'Find a question' }).fill('activation')
  await dialog.getByRole('option').click()
  await expect(dialog.getByLabel('Question to the seller')).toHaveValue(/^Please send .+ receipt/)
  await dialog.getByLabel('Question to the seller').fill('Where is the receipt?')
  const preview = dialog.getByRole('region', { name: 'What the seller will see' })
  await expect(preview).toContainText('Additional verification required')
  await expect(preview).toContainText('Where is the receipt?')
  await dialog.getByRole('button', { name: 'Request Information' }).click()
  await expectStatus('Waiting for Seller', 'Resume Review', 'Reject', 'Make Offer')
  await expect(desk.getByText('Where is the receipt?').first()).toBeVisible()
  await press('Resume Review')
  await expectStatus('Pending', ...pending)

  await press('Request Information')
  await dialog.getByRole('combobox', { name: 'Find a question' }).fill('Which shop sold it?')
  await staffPage.keyboard.press('Control+Enter')
  await expectStatus('Waiting for Seller', 'Resume Review', 'Reject', 'Make Offer')
  await expect(desk.getByText('Which shop sold it?').first()).toBeVisible()
  await press('Resume Review')
  await expectStatus('Pending', ...pending)

  await press('Make Offer')
  await expect(dialog.getByLabel('New price')).toHaveAccessibleDescription('At most the face value, $100.00')
  await dialog.getByLabel('New price').fill('120')
  await expect(dialog.getByLabel('New price')).toHaveAttribute('aria-invalid', 'true')
  const unchecked = dialog.getByText('The balance of this card was never checked')
  await expect(unchecked).toHaveCount(0)
  await dialog.getByRole('option', { name: 'holds less' }).click()
  await expect(unchecked).toBeVisible()
  await expect(preview).toContainText('The card holds less')
  await expect(preview).not.toContainText('$')
  await dialog.getByRole('button', { name: 'Make Offer' }).press('Enter')
  await expect(dialog.getByLabel('New price')).toHaveAttribute('aria-invalid', 'true')
  await expect(dialog.getByText('At most the face value, $100.00')).toBeVisible()
  await expect(dialog.getByLabel('Reason', { exact: true })).toHaveValue(/holds less/)
  await dialog.getByLabel('New price').fill('74.40')
  await expect(dialog.getByText('$18.60 less')).toBeVisible()
  await expect(preview).toContainText('New offer · we checked your card and can pay $74.40')
  await dialog.getByRole('button', { name: 'Offer $74.40' }).click()
  await expect(dialog.getByLabel('Reason', { exact: true })).toHaveAccessibleDescription(
    /^The balance of this card was never checked. Press Offer \$74.40 again to send this anyway./,
  )
  await dialog.getByRole('button', { name: 'Offer $74.40' }).click()
  await expectStatus('Offered', 'Rescind Offer')
  await expect(desk.getByText('Offered $74.40 instead of $93.00')).toBeVisible()
  await expect(rowsOf(staffPage)).toContainText('$74.40')
  await expect(rowsOf(staffPage)).not.toContainText('$93.00')
  await press('Rescind Offer')
  await expect(dialog).toContainText('The seller can no longer accept $74.40')
  await dialog.getByRole('button', { name: 'Rescind Offer' }).click()
  await expectStatus('Pending', ...pending)

  await press('Reject')
  await dialog.getByRole('button', { name: 'Reject' }).press('Enter')
  await expect(dialog.getByText('A reason is required')).toBeVisible()
  await expect(dialog.getByRole('group')).toHaveCount(REASONS.length)
  for (const [category, reasons] of REASONS) {
    const group = dialog.getByRole('group', { name: category, exact: true })
    await expect(group.getByRole('option')).toHaveCount(reasons)
  }
  await dialog.getByRole('combobox', { name: 'Find a reason' }).fill('blur')
  await dialog.getByRole('option').click()
  const reason = await dialog.getByLabel('Reason', { exact: true }).inputValue()
  await expect(preview).toContainText(reason)
  await expect(preview).toContainText('Rejected. You can fix this and send it again.')
  await expect(dialog.getByRole('button', { name: 'Reject' })).toBeFocused()
  await staffPage.keyboard.press('Control+Enter')
  await expectStatus('Rejected', 'Revert to Processing')
  await expect(desk.getByText(reason).first()).toBeVisible()
  await revert()

  await press('Mark Failed')
  await dialog.getByRole('button', { name: 'Show reasons about the card' }).click()
  await expect(dialog.getByRole('group')).toHaveText([
    /^Payout Problems/,
    ...REASONS.map(([category]) => new RegExp(`^${category}`)),
  ])
  await dialog.getByLabel('Reason', { exact: true }).fill('   ')
  await dialog.getByRole('button', { name: 'Mark Failed' }).press('Enter')
  await expect(dialog.getByText('A reason is required')).toBeVisible()
  await dialog.getByLabel('Reason', { exact: true }).fill('The account does not exist')
  await dialog.getByRole('button', { name: 'Mark Failed' }).click()
  await expectStatus('Failed', 'Revert to Processing')
  await revert('A mistake')
  await press('Mark Complete')
  await dialog.getByRole('button', { name: 'Mark Complete' }).click()
  await expectStatus('Completed', 'Revert to Processing')
  await press('History')
  const history = desk.getByRole('region', { name: 'History' })
  await expect(history).toBeFocused()
  await expect(history).toBeInViewport()
  await expect(history.getByRole('listitem')).toHaveCount(12)
  await expect(history.getByRole('listitem').nth(5)).toContainText('Offered $74.40 by admin')
})

test('the counts of the day change with the tabs, at a decision and its undo', async ({
  page,
  staffPage,
}) => {
  const { view } = await cardsOf(page, {})
  await staffPage.goto(view)
  await isLive(staffPage)
  const today = staffPage.getByRole('link', { name: /decided today/ })
  const decided = async () => Number(/(\d+) decided today/.exec(await today.innerText())?.[1])
  const before = await decided()
  await openSubmission(staffPage).getByRole('button', { name: 'Start Processing' }).click()
  await expect.poll(decided).toBe(before + 1)
  await staffPage.getByRole('region', { name: 'Last decision' }).getByRole('button').click()
  await expect.poll(decided).toBe(before)
})

test('a decision previews what a seller who reads Spanish will see', async ({ page, staffPage }) => {
  const { es } = readWords({ product: 'Unspent' })
  const { seller, view } = await cardsOf(page, {})
  await page.request.put('/api/user/locale', { data: { locale: 'es' } })
  await staffPage.goto(view)
  const dialog = staffPage.getByRole('dialog')
  const preview = dialog.getByRole('region', { name: 'What the seller will see' })
  const warning = dialog.getByText(`${seller.username} reads Spanish. Your own text is sent as you wrote it.`)
  for (const [name, sentence, code] of [
    ['Reject', es('statuses.text.fixable'), 'image_blurry'],
    ['Request Information', es('statuses.text.under_review'), 'ask_receipt'],
    ['Make Offer', es('statuses.text.offer', { amount: '$74.40' }), 'offer_balance_lower'],
  ] as const) {
    await openSubmission(staffPage).getByRole('button', { name }).click()
    await expect(dialog.getByText('Spanish', { exact: true })).toBeVisible()
    await expect(warning).toBeVisible()
    if (name === 'Make Offer') await dialog.getByLabel('New price').fill('74.40')
    await dialog.getByRole('option').first().click()
    await expect(preview).toContainText(sentence)
    await expect(warning).toHaveCount(0)
    await expect(preview).toContainText(es(`reasons.text.${code}`))
    await dialog.getByRole('textbox').last().fill('My own words')
    await expect(warning).toBeVisible()
    await expect(preview).toContainText('My own words')
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  }
})

test('shows all views on a tablet', async ({ staffPage }) => {
  await staffPage.setViewportSize({ width: 768, height: 900 })
  await staffPage.goto('/admin?view=pay')
  const views = staffPage.getByRole('navigation', { name: 'Views' }).getByRole('link')
  await expect(views).toHaveCount(6)
  for (const view of await views.all()) await expect(view).toBeInViewport({ ratio: 1 })
  await expect(listOf(staffPage)).toContainText('Oldest first, including cards in a batch')
})

test('on a phone, shows the list, then the submission with its buttons at the thumb', async ({
  page,
  staffPage,
}) => {
  const { view } = await cardsOf(page, {})
  await staffPage.setViewportSize({ width: 360, height: 740 })
  await staffPage.goto(view)
  const desk = openSubmission(staffPage)
  await expect(rowsOf(staffPage)).toHaveCount(1)
  await expect(desk).toHaveCount(0)
  await rowsOf(staffPage).click()
  await expect(rowsOf(staffPage)).toHaveCount(0)
  const buttons = desk.getByRole('group', { name: 'Status' }).getByRole('button')
  await expect(buttons).toHaveText([/^Start Processing/, /^Reject/, ''])
  for (const button of await buttons.all()) {
    const { y = 0, height = 0 } = (await button.boundingBox()) ?? {}
    expect(y).toBeGreaterThan(740 / 2)
    expect(height).toBeGreaterThanOrEqual(44)
  }
  await expectAccessible(staffPage)

  await buttons.last().click()
  await expect(staffPage.getByRole('menuitem', { name: 'Approve & Complete' })).toBeVisible()
  await staffPage.keyboard.press('Escape')
  await buttons.first().click()
  await expectToast(staffPage, 'Status Updated', 'Amazon is now Processing.')
  const top = (locator: Locator) => locator.boundingBox().then((box) => box?.y ?? 0)
  const bottom = (locator: Locator) => locator.boundingBox().then((box) => (box ? box.y + box.height : 0))
  const toast = staffPage.getByRole('region', { name: /\(F8\)$/ }).getByRole('listitem')
  const undo = staffPage.getByRole('region', { name: 'Last decision' })
  expect(await bottom(toast)).toBeLessThanOrEqual(await top(undo))
  expect(await bottom(undo)).toBeLessThanOrEqual(await top(buttons.first()))
  expect(await top(toast)).toBeGreaterThan(await bottom(desk.getByText('$93.00', { exact: true })))
  await staffPage.goBack()
  await expect(rowsOf(staffPage)).toHaveCount(1)
})

test('a toast covers neither the undo bar nor the submission that opens next', async ({ page, ana }) => {
  const { view } = await cardsOf(page, {}, {}, {})
  await ana.goto(`${view}&status=pending`)
  for (const [left, width] of [
    [2, 1280],
    [1, 1440],
  ] as const) {
    await ana.setViewportSize({ width, height: 800 })
    await expect(rowsOf(ana)).toHaveCount(left + 1)
    await openSubmission(ana).getByRole('button', { name: 'Start Processing' }).click()
    await expectToast(ana, 'Status Updated')
    await expect(rowsOf(ana)).toHaveCount(left)
    const boxOf = async (locator: Locator) => {
      const box = await locator.boundingBox()
      if (!box) throw new Error('It is not shown')
      return box
    }
    const toast = await boxOf(ana.getByRole('region', { name: /\(F8\)$/ }).getByRole('listitem'))
    const undo = await boxOf(ana.getByRole('region', { name: 'Last decision' }))
    expect(toast.y + toast.height).toBeLessThanOrEqual(undo.y)
    expect(toast.x + toast.width).toBeLessThanOrEqual((await boxOf(openSubmission(ana))).x)
  }
})
