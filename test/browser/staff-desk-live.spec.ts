import type { Page } from '@playwright/test'
import { referenceOf } from '#domain/reference.ts'
import { photo } from '../submissions.ts'
import { letItShow, stopTheClock } from './clock.ts'
import { cardsOf, copySubmission, expect, isLive, listOf, openSubmission, rowsOf, test } from './desk.ts'
import { asStaff, expectToast, forgive, move, pressAnyway, submitCard } from './sellers.ts'
import { screens } from './staff-people.ts'

// Several browsers at once are slow on a busy machine.
test.describe.configure({ timeout: 180_000 })

const banner = (page: Page) => openSubmission(page).getByRole('alert')
const approve = (page: Page) => openSubmission(page).getByRole('button', { name: 'Approve & Complete' })
const confirm = (page: Page) =>
  page.getByRole('dialog').getByRole('button', { name: 'Approve & Complete' }).click()

test('announces a new submission for five seconds and adds it to the list', async ({ page, ana }) => {
  const { seller, view } = await cardsOf(page, {})
  await ana.clock.install()
  await ana.goto(view)
  await isLive(ana)
  await expect(rowsOf(ana)).toHaveCount(1)
  await expect(openSubmission(ana).getByRole('heading', { name: 'Amazon' })).toBeVisible()
  await stopTheClock(ana)
  await submitCard(page, { brand: 'steam', sellingPrice: '88.00', discountPercentage: '12.00' })
  const age = await letItShow(ana, 'New Submission')
  await expectToast(ana, 'New Submission', `Steam from ${seller.username}`)
  const toast = ana.getByRole('region', { name: /Notifications/ }).getByText('New Submission')
  await ana.clock.runFor(4900 - age)
  await expect(toast).toBeVisible()
  await ana.clock.runFor(200 + age)
  await expect(toast).toBeHidden()
  await ana.clock.resume()
  await expect(rowsOf(ana)).toHaveText([/Steam/, /Amazon/])
  // The open submission stays open.
  await expect(openSubmission(ana).getByRole('heading', { name: 'Amazon' })).toBeVisible()
})

test("announces a seller's answer, lists it first and shows it above the submission", async ({
  page,
  ana,
}) => {
  const bank = { routingNumber: '021000021', accountNumber: '987654321' }
  const wrong = { paymentRoutingNumber: '123456789', paymentAccountNumber: bank.accountNumber }
  const { seller, ids } = await cardsOf(page, { paymentType: 'bank_transfer', ...wrong }, {})
  const [older = '', newer] = ids
  await move(ana, older, 'under_review', 'Which shop is it from?')
  await ana.goto(`/admin?status=pending&id=${newer}`)
  await isLive(ana)
  await expect(openSubmission(ana).getByRole('heading', { name: 'Amazon' })).toBeVisible()
  const images = { name: 'receipt.jpg', mimeType: 'image/jpeg', buffer: await photo(220) }
  const multipart = { message: 'The corner shop', images }
  const answer = await page.request.post(`/api/user/gift-cards/${older}/answer`, { multipart })
  expect(answer.status()).toBe(200)
  const account = { data: { type: 'bank_transfer', accountName: 'Sally Seller', ...bank } }
  const changed = await page.request.post(`/api/user/gift-cards/${older}/payout-account`, account)
  expect(changed.status()).toBe(200)
  await expectToast(ana, 'Seller Answered', `Amazon from ${seller.username}`)
  const first = rowsOf(ana).first()
  await expect(first).toContainText('Answered')
  await first.click()
  await expect(ana).toHaveURL(new RegExp(`id=${older}`))
  const shown = openSubmission(ana).getByRole('region', { name: 'Answer', exact: true })
  await expect(shown).toContainText('Which shop is it from?')
  await expect(shown).toContainText('The corner shop')
  await shown.getByRole('button', { name: 'Open new photo 2' }).click()
  await expect(ana.getByRole('img', { name: 'Number 2 of the submission' })).toBeVisible()
  await ana.keyboard.press('Escape')
  await expect(ana.getByRole('dialog')).toHaveCount(0)
  await ana.keyboard.press('s')
  await expect(ana).toHaveURL(new RegExp(`id=${newer}`))
  await expect(ana.getByRole('region', { name: 'Last decision' })).toContainText('Processing')
  await ana.keyboard.press('z')
  await expectToast(ana, 'Decision Undone')
  await expect(ana).toHaveURL(new RegExp(`id=${older}`))
  await expect(shown).toContainText('The corner shop')
})

test('moves submissions between views, and N claims the next one', async ({ page, ana }) => {
  const { ids, view } = await cardsOf(
    page,
    {},
    { brand: 'steam', sellingPrice: '88.00', discountPercentage: '12.00' },
  )
  const [older = '', newer] = ids
  await ana.goto(`${view}&view=review`)
  await isLive(ana)
  await expect(rowsOf(ana)).toHaveText([/Amazon/, /Steam/])
  await expect(ana).toHaveURL(new RegExp(`id=${older}`))
  await expect(ana.getByRole('button', { name: /^Start Processing/ })).toBeEnabled()
  await ana.keyboard.press('n')
  await expect(ana).toHaveURL(new RegExp(`id=${newer}`))
  // The address changes before the screen, and until the screen has followed, the desk ignores N.
  await expect(openSubmission(ana).getByRole('heading', { name: 'Steam' })).toBeVisible()
  await move(ana, older, 'processing')
  await expect(rowsOf(ana)).toHaveText([/Steam/])
  await ana.keyboard.press('n')
  await expectToast(ana, 'Nothing Left')
  await ana.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'To pay' }).click()
  await expect(rowsOf(ana)).toHaveText([/Amazon/])
  await expect(ana).toHaveURL(/view=pay/)
})

test('shows colleagues who has claimed a submission, and lets them take it over', async ({
  page,
  ana,
  ben,
}) => {
  const { ids, view } = await cardsOf(page, {}, {})
  const [older, newer] = ids
  const claims: string[] = []
  ana.on('request', (request) => request.url().endsWith('/claim') && claims.push(request.url()))
  await ana.goto(view)
  await isLive(ana)
  await expect(ana).toHaveURL(new RegExp(`id=${newer}`))
  await expect(approve(ana)).toBeEnabled()
  // Longer than the delay before a claim.
  await ana.waitForTimeout(1000)
  expect(claims, 'a submission that opened by itself is not claimed').toEqual([])
  const claimed = ana.waitForResponse((response) => response.url().endsWith(`/${newer}/claim`))
  await ana.keyboard.press('h')
  // Before the claim, ben would open the same submission.
  await claimed
  await ben.goto(view)
  await isLive(ben)
  const first = rowsOf(ben).first()
  await expect(first).toContainText('Being reviewed by ana')
  await expect(ben).toHaveURL(new RegExp(`id=${older}`))
  await openSubmission(ben).getByRole('heading').first().click()
  await expect(rowsOf(ana).last()).toContainText('Being reviewed by ben')

  const fetched: string[] = []
  ben.on(
    'request',
    (request) => request.url().includes('/api/admin/submissions?') && fetched.push(request.url()),
  )
  await ana.keyboard.press('j')
  await expect(first).not.toContainText('Being reviewed')
  await expect(banner(ana)).toContainText('ben is working on this submission')
  expect(fetched, 'claims are patched in').toEqual([])

  await approve(ana).press('a')
  await expectToast(ana, 'ben is working on it', 'Take over the submission before you decide.')
  await expect(openSubmission(ana).getByText('Pending', { exact: true }).first()).toBeVisible()
  await ana.keyboard.press('t')
  await expect(banner(ana)).toBeHidden()
  await expect(banner(ben)).toContainText(/ana took it over from you (just now|\d+ seconds? ago)/)
  await expect(rowsOf(ben).last()).toContainText('Being reviewed by ana')
  await banner(ben).getByRole('button', { name: 'Take back' }).click()
  await expect(banner(ben)).toBeHidden()
  await expect(banner(ana)).toContainText('ben took it over from you')

  // Leaving the desk releases the claim, and ana gets it.
  await ben.getByRole('tab', { name: 'Users' }).click()
  await expect(banner(ana)).toBeHidden()
  await expect(approve(ana)).toBeEnabled()
  await approve(ana).click()
  await confirm(ana)
  await expectToast(ana, 'Status Updated')
  // A menu of the submission before would close with it.
  await expect(openSubmission(ana)).toContainText(referenceOf(newer ?? ''))
  const assign = openSubmission(ana).getByRole('button', { name: 'Assign', exact: true })
  await assign.click()
  await expect(ana.getByRole('menuitem').first()).toHaveText('Assign to me')
  await ana.getByRole('menuitem').first().press('Enter')
  await expect(openSubmission(ana).getByText('Assigned to you', { exact: true })).toBeVisible()
  await assign.click()
  await ana.getByRole('menuitem', { name: 'ben' }).press('Enter')
  await expectToast(ben, 'Assigned to You', 'Amazon, by ana')
  await expect(banner(ana)).toContainText('Assigned to ben by ana just now')
  await expect(rowsOf(ana).first()).toContainText('Assigned to ben')
})

test('ignores an expired claim', async ({ page, ana, ben, database }) => {
  const { id, view } = await cardsOf(page, {})
  await ana.request.post(`/api/admin/submissions/${id}/claim`)
  await ben.goto(view)
  await expect(banner(ben)).toContainText('ana is working on this submission')
  await database.query(`update claims set until = now() + interval '3 seconds' where gift_card_id = $1`, [id])
  await ben.reload()
  const claimedBy = async () => (await ana.request.get(`/api/admin/submissions/${id}`)).json()
  await expect.poll(claimedBy).toMatchObject({ claimedBy: { username: 'ben' } })
  await expect(banner(ben)).toBeHidden()
  await expect(approve(ben)).toBeEnabled()
})

test("shows a colleague's decision at once and explains a conflict", async ({ page, ana, ben }) => {
  const { ids, view } = await cardsOf(page, {}, {})
  const [older = '', newer = ''] = ids
  await ana.goto(`${view}&status=pending`)
  await isLive(ana)
  await expect(approve(ana)).toBeVisible()
  await move(ben, newer, 'processing')
  await expect(banner(ana)).toContainText(/ben started processing it (just now|\d+ seconds? ago)/)
  await expect(openSubmission(ana).getByRole('button', { name: 'Mark Complete' })).toBeVisible()
  await expect(rowsOf(ana)).toHaveCount(1)

  // Without live messages, Ana learns of the conflict from the answer alone. Ben decides while her decision is on its way.
  await ana.routeWebSocket(/\/ws$/, () => undefined)
  await ana.route(`**/api/admin/submissions/${older}/status`, async (route) => {
    await move(ben, older, 'completed')
    await route.continue()
  })
  await ana.goto(`${view}&id=${older}`)
  await approve(ana).click()
  await confirm(ana)
  await expectToast(ana, 'Update Failed', 'ben approved it')
  await expect(banner(ana)).toContainText(/ben approved it (just now|\d+ seconds? ago)/)
  await expect(openSubmission(ana).getByText('Completed', { exact: true }).first()).toBeVisible()
  await expect(openSubmission(ana).getByRole('button', { name: 'Revert to Processing' })).toBeVisible()
})

test('keeps the place and typed text in a long list while pushes arrive', async ({ page, ana, database }) => {
  const { id, view } = await cardsOf(page, {})
  const copies = await copySubmission(database, id, 160)
  await ana.goto(view)
  await isLive(ana)
  const count = listOf(ana).getByRole('status').first()
  const scroll = (top: number) =>
    listOf(ana).evaluate((list, top) => list.querySelector('ul')?.parentElement?.scrollTo(0, top), top)
  for (const loaded of ['75 of 161', '125 of 161', '161']) {
    // The submission that opens by itself scrolls into view once.
    await expect(async () => {
      if ((await count.textContent()) !== `${loaded} submissions`) await scroll(1_000_000)
      await expect(count).toHaveText(`${loaded} submissions`, { timeout: 2000 })
    }).toPass()
  }
  await scroll(3000)
  const middle = rowsOf(ana).and(ana.locator(`[href*="id=${copies[115]}"]`))
  await middle.click()
  await expect(openSubmission(ana)).toContainText(referenceOf(copies[115] ?? ''))
  await openSubmission(ana).getByLabel('New note').fill('Half a note')
  const top = async () => Math.round((await middle.boundingBox())?.y ?? 0)
  const before = await top()

  const asked: string[] = []
  ana.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/admin/submissions' && searchParams.has('q')) asked.push(request.url())
  })
  await submitCard(page, { brand: 'steam', sellingPrice: '88.00', discountPercentage: '12.00' })
  await expect(count).toHaveText('162 submissions')
  await expect.poll(top).toBe(before)
  await expect(openSubmission(ana).getByLabel('New note')).toHaveValue('Half a note')
  await expect(middle).toHaveAttribute('aria-current', 'true')
  // The first page has 25 rows, the others 50.
  expect(asked, 'each page once').toHaveLength(4)
  await scroll(0)
  await expect(rowsOf(ana).first()).toContainText('Steam')
})

test('shows possible duplicates with their outcome', async ({ page, ana, ben }) => {
  const number = { cardNumber: `${Date.now()} 77` }
  const first = await cardsOf(page, number)
  await move(ben, first.id, 'rejected', 'It was used up')
  await page.context().clearCookies()
  const second = await cardsOf(page, { ...number, paymentAccountInfo: `${Date.now()}@example.com` })
  await ana.goto(second.view)
  const panel = openSubmission(ana).getByRole('region', { name: 'Possible duplicates' })
  const duplicate = panel.getByRole('link', { name: /^Same card/ })
  await expect(duplicate).toContainText('Rejected')
  await expect(duplicate).toContainText('It was used up')
  await expect(duplicate).toContainText(first.seller.username)
  await approve(ana).press('d')
  await ana.keyboard.press('Enter')
  await expect(ana).toHaveURL(new RegExp(`id=${first.id}`))
  await expect(openSubmission(ana).getByText('1 submission, 0 completed, 1 rejected')).toBeVisible()
  await ana.goBack()
  await expect(ana).toHaveURL(new RegExp(`id=${second.id}`))
})

test('reports failures with the specified texts', async ({ page, staffPage, complaints }) => {
  await asStaff(staffPage)
  const { view } = await cardsOf(page, {})
  await staffPage.goto(view)
  await staffPage.route('**/status', (route) => route.fulfill({ status: 500, body: '{}' }))
  await approve(staffPage).click()
  await confirm(staffPage)
  await expectToast(staffPage, 'Update Failed', 'Failed to update gift card status.')
  await staffPage.route('**/api/admin/submissions', (route) =>
    route.request().method() === 'DELETE' ? route.fulfill({ status: 500, body: '{}' }) : route.fallback(),
  )
  await clearAll(staffPage)
  await expectToast(staffPage, 'Clear Failed', 'Failed to clear submissions.')
  forgive(complaints, /500/)
})

test('clears all after a typed word, keeps completed submissions and updates other desks', async ({
  page,
  ana,
  staffPage,
}) => {
  await asStaff(staffPage)
  const { ids, view } = await cardsOf(page, {}, {}, {})
  await move(staffPage, ids[0] ?? '', 'completed')
  await move(staffPage, ids[1] ?? '', 'rejected', 'Blurry')
  await move(staffPage, ids[2] ?? '', 'processing')
  await ana.goto(view)
  await isLive(ana)
  await expect(rowsOf(ana)).toHaveCount(3)
  const payouts = (desk: Page) => screens(desk).getByRole('link', { name: /^Payouts/ })
  await expect(payouts(ana)).toHaveText(/^Payouts, \d+ due$/)
  await staffPage.goto(view)
  await pressClearAll(staffPage)
  const dialog = staffPage.getByRole('dialog', { name: 'Clear All' })
  await dialog.getByLabel('Type DELETE to confirm').fill('delete')
  await dialog.getByRole('button', { name: 'Clear All' }).press('Enter')
  await expect(dialog.getByText('Type DELETE in capital letters')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(rowsOf(staffPage)).toHaveCount(3)
  await rowsOf(staffPage).filter({ hasText: 'Rejected' }).click()
  await expect(openSubmission(staffPage).getByText('Rejected').first()).toBeVisible()
  await clearAll(staffPage)
  await expectToast(staffPage, 'Submissions Cleared', /submissions? cleared/)
  for (const desk of [staffPage, ana]) {
    await expect(rowsOf(desk)).toHaveText([/Completed/])
    await expect(payouts(desk)).toHaveText('Payouts')
  }
  await expect(staffPage).toHaveURL(new RegExp(`id=${ids[0]}`))
  await expect(openSubmission(staffPage).getByText('Completed').first()).toBeVisible()
  await expect(openSubmission(ana).getByText('Submission not found')).toBeVisible()
  await expect(openSubmission(staffPage).getByText('Submission not found')).toBeHidden()
})

async function pressClearAll(page: Page): Promise<void> {
  await listOf(page).getByRole('button', { name: 'List actions' }).click()
  await page.getByRole('menuitem', { name: 'Clear All' }).click()
}

async function clearAll(page: Page): Promise<void> {
  await pressClearAll(page)
  const dialog = page.getByRole('dialog', { name: 'Clear All' })
  await dialog.getByLabel('Type DELETE to confirm').fill('DELETE')
  await dialog.getByRole('button', { name: 'Clear All' }).click()
}

test('lets someone else decide on an appeal', async ({ page, ana, ben }) => {
  const { id, view } = await cardsOf(page, {})
  await move(ana, id, 'rejected', 'Blurry')
  const multipart = { message: 'The photo is sharp, please look at it again' }
  const appeal = await page.request.post(`/api/user/gift-cards/${id}/appeal`, { multipart })
  expect(appeal.status(), await appeal.text()).toBe(200)
  await ana.goto(view)
  const message = openSubmission(ana).getByRole('region', { name: 'Appeal' })
  await expect(message).toContainText('you rejected this card, so someone else must decide')
  await expect(message).toContainText('please look at it again')
  for (const name of ['Start Processing', 'Approve & Complete', 'Reject'])
    await expect(openSubmission(ana).getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true')
  await pressAnyway(openSubmission(ana).getByRole('button', { name: 'Start Processing' }))
  await expectToast(ana, 'You rejected it', 'Someone else must decide on the appeal.')
  const check = { amount: '80.00', source: 'phone' }
  await ana.request.post(`/api/admin/submissions/${id}/balance-checks`, { data: check })
  await ana.reload()
  const offer = openSubmission(ana).getByRole('button', { name: 'Offer $74.40' })
  await expect(offer).toHaveAttribute('aria-disabled', 'true')
  await pressAnyway(offer)
  await expectToast(ana, 'You rejected it', 'Someone else must decide on the appeal.')
  await ana.setViewportSize({ width: 360, height: 740 })
  const buttons = openSubmission(ana).getByRole('group', { name: 'Status' }).getByRole('button')
  await expect(buttons).toHaveText([/^Request Information/, ''])
  await ana.setViewportSize({ width: 1280, height: 720 })
  // Who may not decide does not claim it either.
  await ben.goto(view)
  await expect(rowsOf(ben)).toContainText('Appeal')
  await expect(openSubmission(ben).getByRole('region', { name: 'Appeal' })).toContainText(
    'ana rejected this card',
  )
  await expect(openSubmission(ben).getByRole('button', { name: 'Reject' })).not.toHaveAttribute(
    'aria-disabled',
  )
})

test('says at once that the browser is offline, and is live again afterwards', async ({
  ana,
  complaints,
}) => {
  await ana.goto('/admin')
  await isLive(ana)
  await ana.context().setOffline(true)
  await expect(ana.getByText('Offline', { exact: true })).toBeVisible()
  await ana.context().setOffline(false)
  await isLive(ana)
  forgive(complaints, /net::ERR_INTERNET_DISCONNECTED/)
})
