import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { referenceOf } from '#domain/reference.ts'
import { cardsOf, copySubmission, expect, isLive, listOf, openSubmission, rowsOf, test } from './desk.ts'
import { expectToast, forgive, move, submitCard } from './sellers.ts'

// Several browsers at once are slow on a busy machine.
test.describe.configure({ timeout: 180_000 })

const NUMBER = '6006 4930 1234 5678'

test('decides twenty submissions without the mouse and without scrolling', async ({
  page,
  ana,
  database,
}) => {
  await ana.setViewportSize({ width: 1280, height: 800 })
  const { seller, id } = await cardsOf(page, {})
  const ids = [...(await copySubmission(database, id, 19)), id]
  const { keyboard } = ana
  await ana.goto('/admin?view=all')
  await expect(listOf(ana)).toBeVisible()
  await keyboard.press('/')
  await keyboard.type(seller.username)
  await keyboard.press('Enter')
  await keyboard.press('l')
  await keyboard.type('Pending')
  await keyboard.press('Enter')
  await expect(ana).toHaveURL(/status=pending/)
  const desk = openSubmission(ana)
  const left = listOf(ana).getByRole('status').first()

  for (const [done, id] of ids.toReversed().entries()) {
    await expect(ana).toHaveURL(new RegExp(`id=${id}`))
    await expect(left).toHaveText(done === 19 ? '1 submission' : `${20 - done} submissions`)
    await expect(desk.getByRole('group', { name: 'Status' })).not.toHaveAttribute('aria-busy', 'true')
    // The copies have no photos.
    if (done === 0) await expectAllInView(ana)
    await expectNotScrolled(ana)
    if (done % 4 === 1) {
      await keyboard.press('r')
      await expect(ana.getByRole('combobox', { name: 'Find a reason' })).toBeFocused()
      await keyboard.type('expired')
      await keyboard.press('Enter')
      await keyboard.press('Enter')
    } else if (done % 4 === 3) {
      await keyboard.press('r')
      await expect(ana.getByRole('combobox', { name: 'Find a reason' })).toBeFocused()
      await keyboard.type('Bought with a stolen card')
      await keyboard.press('Enter')
      await keyboard.press('Enter')
    } else {
      await keyboard.press('a')
      await expect(ana.getByRole('dialog').getByRole('button', { name: 'Approve & Complete' })).toBeFocused()
      await keyboard.press('Enter')
    }
  }
  await expect(ana.getByText('No submission matches')).toBeVisible()
  const answer = await ana.request.get(`/api/admin/submissions?q=${seller.username}`)
  const ends = (await answer.json()).map(({ status }: { status: string }) => status)
  expect(ends.filter((status: string) => status === 'completed')).toHaveLength(10)
  expect(ends.filter((status: string) => status === 'rejected')).toHaveLength(10)
})

/** Everything that a decision depends on is whole inside the window, and nothing has scrolled. */
async function expectAllInView(page: Page): Promise<void> {
  const desk = openSubmission(page)
  const buttons = desk.getByRole('group', { name: 'Status' }).getByRole('button')
  await expect(buttons).toHaveCount(5)
  for (const decisive of [
    desk.getByRole('button', { name: 'Open photo 1' }),
    desk.getByText('$93.00', { exact: true }),
    desk.getByText('•••• 5678'),
    desk.getByText('s•••@example.com'),
    desk.getByText('Sally Seller', { exact: true }).first(),
    ...(await buttons.all()),
  ]) {
    await expect(decisive).toBeInViewport({ ratio: 1 })
  }
  const tops = await buttons.evaluateAll((all) => all.map((button) => button.getBoundingClientRect().top))
  expect(new Set(tops).size, 'one row of buttons').toBe(1)
  await expectNotScrolled(page)
}

async function expectNotScrolled(page: Page): Promise<void> {
  const scrolled = await page.evaluate(() =>
    [document.documentElement, ...document.querySelectorAll('section[aria-label=Submission] *')]
      .filter(({ scrollTop }) => scrollTop > 0)
      .map(({ className }) => className),
  )
  expect(scrolled).toEqual([])
}

test('closes a revealed submission for the hits of a search, and opens the first', async ({ page, ana }) => {
  const { ids, view } = await cardsOf(
    page,
    { brand: 'steam', sellingPrice: '88.00', discountPercentage: '12.00' },
    {},
    {},
  )
  const [steam = '', , newest = ''] = ids
  const { keyboard } = ana
  const search = async (text: string) => {
    await keyboard.press('/')
    await expect(ana.getByRole('searchbox', { name: 'Search submissions' })).toBeFocused()
    await keyboard.press('ControlOrMeta+a')
    await keyboard.type(text)
    await keyboard.press('Enter')
  }
  await ana.goto(`${view}&id=${newest}`)
  await isLive(ana)
  const desk = openSubmission(ana)
  await expect(desk.getByRole('button', { name: 'Reject' })).toBeEnabled()
  await keyboard.press('v')
  await expect(desk.getByRole('button', { name: 'Hide' })).toBeVisible()
  await search(steam)
  await expect(ana).toHaveURL(new RegExp(`id=${steam}`))
  await expect(desk.getByRole('heading', { name: 'Steam' })).toBeVisible()

  await search('nothing like this')
  await expect(ana.getByText('No submission matches')).toBeVisible()
  await expect(desk).toHaveCount(0)
  for (const key of ['r', 'a', 's', 'j']) await keyboard.press(key)
  await expect(ana.getByRole('dialog')).toHaveCount(0)
  expect(new URL(ana.url()).searchParams.get('id')).toBeNull()

  await search(view.slice(view.indexOf('=') + 1))
  await expect(ana).toHaveURL(new RegExp(`id=${newest}`))
  const { status } = await (await ana.request.get(`/api/admin/submissions/${steam}`)).json()
  expect(status).toBe('pending')
})

test('skips an appeal that somebody else must decide on', async ({ page, ana }) => {
  const { ids, view } = await cardsOf(page, {}, {}, {})
  const [first = '', appealed = '', last = ''] = ids
  await move(ana, appealed, 'rejected', 'The photo is blurry.')
  const message = 'The photo is sharp, please look again.'
  const appeal = await page.request.post(`/api/user/gift-cards/${appealed}/appeal`, {
    multipart: { message },
  })
  expect(appeal.status()).toBe(200)
  const ahead = ana.waitForResponse((answer) => answer.url().endsWith(`/api/admin/submissions/${appealed}`))
  await ana.goto(`${view}&view=review&id=${first}`)
  await isLive(ana)
  expect((await (await ahead).json()).secondPersonNeeded).toBe(true)
  await expect(openSubmission(ana).getByRole('button', { name: 'Start Processing' })).toBeEnabled()
  await ana.keyboard.press('s')
  await expect(ana).toHaveURL(new RegExp(`id=${last}`))
  await ana.goto('/admin')
  await expect(listOf(ana)).toContainText('Answered first, then the oldest')
})

test('undoes the last decision with Z when the next submission is open', async ({ page, ana }) => {
  const { id, ids, view } = await cardsOf(page, {}, {})
  await ana.goto(`${view}&view=review`)
  await isLive(ana)
  const open = rowsOf(ana).and(ana.locator('[aria-current="true"]'))
  await rowsOf(ana)
    .and(ana.locator(`[href*="${ids[1]}"]`))
    .click()
  // The address changes before the submission shows.
  await expect(openSubmission(ana)).toContainText(referenceOf(ids[1] ?? ''))
  await expect(openSubmission(ana).getByRole('button', { name: 'Reject' })).toBeEnabled()
  await ana.keyboard.press('r')
  await expect(ana.getByRole('combobox', { name: 'Find a reason' })).toBeFocused()
  await ana.keyboard.type('expired')
  await ana.keyboard.press('Enter')
  await ana.keyboard.press('Enter')
  await expect(ana).toHaveURL(new RegExp(`id=${id}`))
  await expect(ana.getByRole('region', { name: 'Last decision' })).toContainText('Rejected')
  await expect(ana.getByRole('dialog')).toHaveCount(0)
  await ana.keyboard.press('z')
  await expectToast(ana, 'Decision Undone')
  await expect(ana).toHaveURL(new RegExp(`id=${ids[1]}`))
  await expect(openSubmission(ana).getByRole('button', { name: 'Approve & Complete' })).toBeEnabled()
  await expect(openSubmission(ana).getByRole('alert')).toHaveCount(0)
  await expect(ana.getByRole('region', { name: 'Last decision' })).toHaveCount(0)
  await expect(open).toHaveAttribute('href', new RegExp(ids[1] ?? ''))
  await expect(open).toBeFocused()
  const { status } = await (await ana.request.get(`/api/admin/submissions/${ids[1]}`)).json()
  expect(status).toBe('pending')
  await ana.keyboard.press('z')
  await expectToast(ana, 'Nothing to Undo')
})

test('steps through the cards of a sale, which the list need not have', async ({ page, ana, ben }) => {
  const saleId = randomUUID()
  const { ids, view } = await cardsOf(page, {}, { saleId }, { saleId })
  const [, first, second] = ids
  await move(ben, second ?? '', 'rejected', 'Blurry')
  await ana.goto(`${view}&status=pending&id=${first}`)
  await isLive(ana)
  const desk = openSubmission(ana)
  await expect(desk).toContainText('1 of 2 in this sale')
  await expect(rowsOf(ana)).toHaveCount(2)
  await ana.keyboard.press('ArrowRight')
  await expect(ana).toHaveURL(new RegExp(`status=pending.*id=${second}`))
  await expect(desk).toContainText('2 of 2 in this sale')
  const third = await submitCard(page, { saleId })
  await expect(desk).toContainText('2 of 3 in this sale')
  await desk.getByRole('button', { name: 'Next card of this sale' }).click()
  await expect(ana).toHaveURL(new RegExp(`id=${third}`))
  await expect(desk.getByRole('button', { name: 'Next card of this sale' })).toBeDisabled()
  await ana.keyboard.press('ArrowLeft')
  await expect(ana).toHaveURL(new RegExp(`id=${second}`))
  await expect(rowsOf(ana).filter({ hasText: '3 of 3 in this sale' })).toHaveCount(1)
})

test('decides on a whole sale, reports what one card refuses, and undoes the rest', async ({
  page,
  ana,
  ben,
}) => {
  const saleId = randomUUID()
  const { ids, view } = await cardsOf(page, {}, { saleId }, { saleId }, { saleId })
  const [alone = '', first = '', second = '', third = ''] = ids
  await move(ben, second, 'rejected', 'Blurry')
  await ana.goto(`${view}&status=pending&id=${first}`)
  await isLive(ana)
  const dialog = ana.getByRole('dialog')
  const lines = dialog.getByRole('list', { name: 'Cards' }).getByRole('listitem')
  const statusOf = async (id: string) =>
    (await (await ana.request.get(`/api/admin/submissions/${id}`)).json()).status
  await expect(openSubmission(ana).getByRole('button', { name: 'Decide on all' })).toBeVisible()
  await ana.keyboard.press('g')
  await expect(lines).toHaveCount(2)
  await dialog.getByRole('radio', { name: 'Reject' }).click()
  // The reviewer has not seen this.
  await move(ben, third, 'under_review', 'Which shop is it from?')
  await expect(dialog.getByRole('button', { name: 'Reject 2 cards' })).toBeDisabled()
  await dialog.getByRole('combobox', { name: 'Find a reason' }).fill('expired')
  await ana.keyboard.press('Enter')
  await expect(dialog.getByRole('region', { name: 'What the seller will see' })).toContainText(
    /Rejected, please contact support.*The card has expired/,
  )
  await ana.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('1 of 2 cards was refused')
  await expect(dialog.getByRole('alert')).toContainText('ben')
  expect([await statusOf(first), await statusOf(third)]).toEqual(['rejected', 'under_review'])
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(ana).toHaveURL(new RegExp(`id=${alone}`))
  await ana.keyboard.press('z')
  await expectToast(ana, 'Decision Undone')
  await expect(ana).toHaveURL(new RegExp(`id=${first}`))

  await expect(openSubmission(ana).getByRole('button', { name: 'Decide on all' })).toBeVisible()
  await ana.keyboard.press('g')
  await expect(lines.filter({ hasText: 'Waits for the seller' })).toHaveCount(1)
  await expect(dialog.getByRole('button', { name: 'Start Processing 2 cards' })).toBeDisabled()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  // A dialog that is still closing would share what it has loaded.
  await expect(dialog).toHaveCount(0)
  await move(ben, third, 'pending')
  await ana.keyboard.press('g')
  await expect(lines.filter({ hasText: 'Nothing blocks it' })).toHaveCount(2)
  const answer = await holdBackAnswer(ana, `/api/admin/submissions/${first}/status`)
  // The other card of the sale stays listed for a while.
  const list = await holdBackAnswer(ana, '/api/admin/submissions?*')
  await ana.keyboard.press('Enter')
  const below = ana.locator('[data-submission]:visible')
  await expect(below.getByRole('button', { name: 'Mark Complete', includeHidden: true })).toBeVisible()
  // Long enough for the desk to ask who moved it, and to say so.
  await ana.request.get(`/api/admin/submissions/${first}/history`)
  await ana.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))))
  await expect(below.getByText('in another window')).toHaveCount(0)
  answer()
  await expectToast(ana, 'Status Updated', '2 cards are now Processing')
  await expect(ana.getByRole('region', { name: 'Last decision' })).toContainText('$186.00 Processing')
  await expect(ana).toHaveURL(new RegExp(`id=${alone}`))
  list()
  expect([await statusOf(first), await statusOf(third)]).toEqual(['processing', 'processing'])
})

test('has the next submissions with their photos before the key, and moves nothing afterwards', async ({
  page,
  ana,
}) => {
  const { ids, view } = await cardsOf(page, {}, {}, {})
  const fetched: string[] = []
  ana.on('requestfinished', (request) => fetched.push(new URL(request.url()).pathname))
  const count = (path: RegExp) => fetched.filter((url) => path.test(url)).length
  await ana.goto(`${view}&id=${ids[2]}`)
  await expect.poll(() => count(/\/view\//), 'thumbnails').toBe(3)
  await expect.poll(() => count(/\/duplicates$/)).toBe(3)
  await isLive(ana)

  const answer = await holdBack(ana, /\/api\//)
  await ana.keyboard.press('j')
  await expect(ana).toHaveURL(new RegExp(`id=${ids[1]}`))
  const desk = openSubmission(ana)
  await expect(desk.getByRole('group', { name: 'Status' }).getByRole('button')).toHaveCount(5)
  await expect(desk.getByText('Looking for duplicates')).toHaveCount(0)
  const photo = desk.getByRole('button', { name: 'Open photo 1' }).locator('img')
  expect(await photo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  // Below are notes and holds, which are always asked for again.
  const places = () =>
    desk.locator('h2, h3, dt, button').evaluateAll((all) =>
      all
        .slice(
          0,
          all.findIndex(({ textContent }) => textContent === 'Notes'),
        )
        .map((one) => `${one.textContent} ${one.getBoundingClientRect().top}`),
    )
  const before = await places()
  answer()
  await expect(desk.getByText('data is erased as usual')).toBeVisible()
  expect(await places()).toEqual(before)
  // What was loaded ahead is a look once it is shown.
  const looks = async (id = '') => (await page.request.get(`/api/user/gift-cards/${id}/reveals`)).json()
  await expect.poll(() => looks(ids[1])).toHaveLength(1)
  expect(await looks(ids[2])).toHaveLength(1)
  expect(await looks(ids[0])).toEqual([])
})

test('opens the next submission with the decision, and returns if the server refuses', async ({
  page,
  ana,
  ben,
}) => {
  const { ids, view } = await cardsOf(page, {}, {})
  // Before the page loads. Set just before the key, it once let the decision through.
  const answer = await holdBack(ana, /\/status$/)
  await ana.goto(`${view}&view=review&id=${ids[1]}`)
  await isLive(ana)
  const desk = openSubmission(ana)
  await expect(desk.getByRole('button', { name: 'Start Processing' })).toBeEnabled()
  await ana.keyboard.press('s')
  await expect(ana).toHaveURL(new RegExp(`id=${ids[0]}`))
  await move(ben, ids[1] ?? '', 'rejected', 'Blurry')
  answer()
  await expectToast(ana, 'Update Failed', /Amazon from sally/)
  await expect(ana).toHaveURL(new RegExp(`id=${ids[1]}`))
  await expect(desk.getByRole('button', { name: 'Revert to Processing' })).toBeEnabled()
})

test('returns also if the refusal comes before the next submission shows', async ({ page, ana, ben }) => {
  const { ids, view } = await cardsOf(page, {}, {})
  // Without live messages, only the answer tells of the colleague.
  await ana.routeWebSocket(/\/ws$/, () => undefined)
  await ana.goto(`${view}&view=review&id=${ids[1]}`)
  const desk = openSubmission(ana)
  await expect(desk.getByRole('button', { name: 'Start Processing' })).toBeEnabled()
  await move(ben, ids[1] ?? '', 'rejected', 'Blurry')
  await ana.keyboard.press('s')
  await expectToast(ana, 'Update Failed')
  await expect(ana).toHaveURL(new RegExp(`id=${ids[1]}`))
  await expect(desk.getByRole('button', { name: 'Revert to Processing' })).toBeEnabled()
})

test('accepts a key as soon as its button is shown', async ({ page, ana }) => {
  const { view } = await cardsOf(
    page,
    {},
    { brand: 'steam', sellingPrice: '88.00', discountPercentage: '12.00' },
  )
  await ana.goto(view)
  await expect(openSubmission(ana).getByRole('heading', { name: 'Steam' })).toBeVisible()
  // Presses R the moment the next submission is rendered.
  await ana.evaluate(() => {
    const watch = new MutationObserver(() => {
      if (document.querySelector('section[aria-label=Submission] h2')?.textContent !== 'Amazon') return
      watch.disconnect()
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'r', bubbles: true, cancelable: true }))
    })
    watch.observe(document, { childList: true, subtree: true })
  })
  await ana.keyboard.press('j')
  await expect(ana.getByRole('combobox', { name: 'Find a reason' })).toBeFocused()
})

test('ignores what is typed after a key that came before the next submission was ready', async ({
  page,
  ana,
}) => {
  const { ids, view } = await cardsOf(page, {}, {})
  await ana.goto(`${view}&view=review&id=${ids[1]}`)
  await isLive(ana)
  const desk = openSubmission(ana)
  await expect(desk.getByRole('button', { name: 'Start Processing' })).toBeEnabled()
  expect(await pressAtOnce(ana, ...'sireceipt2')).toContain('I was not used: the screen was not ready.')
  await expect(ana).toHaveURL(new RegExp(`id=${ids[0]}`))
  await expect(desk.getByRole('button', { name: 'Request Information' })).toBeEnabled()
  await expect(ana.getByText('Keys are ignored')).toHaveCount(0)
  await expect(ana.getByText('I was not used')).toBeVisible()
  await expect(ana.getByRole('dialog')).toHaveCount(0)
  await expect(ana.getByRole('tab', { name: 'Submissions' })).toHaveAttribute('aria-selected', 'true')
  await ana.keyboard.press('i')
  await expect(ana.getByRole('dialog', { name: 'Request Information' })).toBeVisible()
})

test('ends the list above the toast of a decision', async ({ page, ana }) => {
  await ana.setViewportSize({ width: 1280, height: 800 })
  const { ids, view } = await cardsOf(page, {}, {})
  await ana.goto(`${view}&view=review&id=${ids[1]}`)
  await isLive(ana)
  await expect(openSubmission(ana).getByRole('button', { name: 'Start Processing' })).toBeEnabled()
  await ana.keyboard.press('s')
  const toast = ana.getByRole('region', { name: /Notifications/ }).getByRole('listitem')
  await expect(toast).toContainText('Status Updated')
  const [above, below] = [await listOf(ana).boundingBox(), await toast.boundingBox()]
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0)
})

test('ignores what is typed while the first submission loads', async ({ page, ana }) => {
  const { view } = await cardsOf(page, {})
  const arrive = await holdBack(ana, /assets\/Detail-[^/]+\.js/)
  await ana.goto(view)
  await expect(ana.getByText('Loading the submission', { exact: true }).first()).toBeVisible()
  expect(await pressAtOnce(ana, ...'ireceipt2')).toContain('I was not used')
  arrive()
  await expect(openSubmission(ana).getByRole('button', { name: 'Reject' })).toBeEnabled()
  await expect(ana.getByRole('dialog')).toHaveCount(0)
  await expect(ana.getByRole('tab', { name: 'Submissions' })).toHaveAttribute('aria-selected', 'true')
})

test('rejects a card before its risks are known, but does not approve it', async ({ page, ana }) => {
  const { id, view } = await cardsOf(page, {})
  const arrive = await holdBack(ana, new RegExp(`/submissions/${id}$`))
  await ana.goto(view)
  const desk = openSubmission(ana)
  await expect(desk.getByRole('button', { name: 'Reject' })).toBeEnabled()
  await expect(desk.getByRole('button', { name: 'Start Processing' })).toBeDisabled()
  expect(await pressAtOnce(ana, 's')).toContain('S was not used')
  arrive()
  await expect(desk.getByRole('button', { name: 'Start Processing' })).toBeEnabled()
})

test('ignores other keys while a dialog is loading', async ({ page, ana }) => {
  const { id, ids, view } = await cardsOf(page, { cardNumber: NUMBER }, {})
  const arrive = await holdBack(ana, /assets\/OpenDialog-[^/]+\.js/)
  await ana.goto(`${view}&id=${id}`)
  await isLive(ana)
  await openSubmission(ana).getByRole('button', { name: 'Approve & Complete' }).focus()
  for (const key of ['r', 'k', '2', 'Enter', 'v']) await ana.keyboard.press(key)
  arrive()
  await expect(ana.getByRole('dialog', { name: 'Reject' })).toBeVisible()
  await expect(ana.getByRole('combobox', { name: 'Find a reason' })).toHaveValue('')
  await expect(ana).toHaveURL(new RegExp(`id=${id}`))
  await expect(ana.getByText(NUMBER)).toHaveCount(0)
  for (const id of ids) {
    const { status } = await (await ana.request.get(`/api/admin/submissions/${id}`)).json()
    expect(status).toBe('pending')
  }
})

for (const first of ['dialog', 'photos']) {
  test(`keeps the keys working when a canceled dialog and photos cannot load (${first} first)`, async ({
    page,
    ana,
    complaints,
  }) => {
    const { id, ids, view } = await cardsOf(page, {}, {})
    const failDialog = await failLater(ana, /assets\/OpenDialog-[^/]+\.js/)
    const failPhotos = await failLater(ana, /assets\/PhotoViewer-[^/]+\.js/)
    const toasts = ana.getByRole('region', { name: /Notifications/ }).getByRole('listitem')
    await ana.goto(`${view}&id=${id}`)
    await expect(openSubmission(ana).getByRole('button', { name: 'Approve & Complete' })).toBeEnabled()
    await ana.keyboard.press('r')
    await ana.keyboard.press('Escape')
    if (first === 'dialog') await failDialog()
    await ana.keyboard.press('k')
    await expect(ana).toHaveURL(new RegExp(`id=${ids[1]}`))
    // The address changes first: until the reference appears, the photos belong to the previous submission.
    await expect(openSubmission(ana)).toContainText(referenceOf(ids[1] ?? ''))
    await expect(openSubmission(ana).getByRole('button', { name: 'Open photo 1' })).toBeVisible()
    await expect(toasts).toHaveCount(0)
    await ana.keyboard.press('p')
    await ana.keyboard.press('j')
    await failPhotos()
    await expectToast(ana, 'Not Loaded')
    await expect(ana).toHaveURL(new RegExp(`id=${ids[1]}`))
    await ana.keyboard.press('j')
    await expect(ana).toHaveURL(new RegExp(`id=${id}`))
    if (first === 'photos') {
      await toasts.getByRole('button', { name: 'Dismiss' }).click()
      await failDialog()
      await ana.keyboard.press('k')
      await expect(ana).toHaveURL(new RegExp(`id=${ids[1]}`))
      await expect(toasts).toHaveCount(0)
    }
    forgive(complaints, /Failed to (load|fetch)/)
  })
}

test('decides once for a double-click, only on what shows, and not for a held Enter', async ({
  page,
  ana,
}) => {
  const { ids, view } = await cardsOf(page, {}, {}, {})
  const moved: string[] = []
  ana.on('request', (request) => {
    if (request.method() === 'PATCH') moved.push(request.url().split('/').at(-2) ?? '')
  })
  await ana.goto(`${view}&id=${ids[2]}`)
  await isLive(ana)
  await expect(rowsOf(ana)).toHaveCount(3)
  const start = openSubmission(ana).getByRole('button', { name: 'Start Processing' })
  await expect(start).toBeEnabled()

  await ana.keyboard.press('r')
  await ana.getByRole('combobox', { name: 'Find a reason' }).fill('blur')
  await expect(ana.getByRole('option')).toHaveCount(1)
  for (let presses = 0; presses < 4; presses++) await ana.keyboard.down('Enter')
  await ana.keyboard.up('Enter')
  await expect(ana.getByRole('dialog').getByRole('button', { name: 'Reject' })).toBeFocused()
  await ana.keyboard.press('Escape')
  await expect(ana.getByRole('dialog')).toHaveCount(0)

  // Both keys before the next submission is rendered.
  await pressAtOnce(ana, 'j', 's')
  await expect(openSubmission(ana)).toContainText(referenceOf(ids[1] ?? ''))
  await expect(start).toBeEnabled()
  expect(moved).toEqual([])
  await start.dblclick()
  await expectToast(ana, 'Status Updated')
  await expect(ana.getByRole('region', { name: 'Last decision' })).toContainText('$93.00 Processing')
  expect(moved).toEqual([ids[1]])
})

test('asks before recording a payout, and closes if the status changes', async ({ page, ana, ben }) => {
  const { id, view } = await cardsOf(page, {})
  const status = async () => (await (await ana.request.get(`/api/admin/submissions/${id}`)).json()).status
  await ana.goto(view)
  await isLive(ana)
  await expect(openSubmission(ana).getByRole('button', { name: 'Approve & Complete' })).toBeEnabled()
  const dialog = ana.getByRole('dialog', { name: 'Approve & Complete' })
  await ana.keyboard.press('a')
  await expect(dialog).toContainText('was paid $93.00 by PayPal, by hand')
  await ana.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  expect(await status()).toBe('pending')

  await ana.keyboard.press('a')
  await expect(dialog).toBeVisible()
  await move(ben, id, 'processing')
  await expect(dialog).toBeHidden()
  await expect(openSubmission(ana).getByRole('alert')).toContainText('ben started processing it')
  const complete = openSubmission(ana).getByRole('button', { name: 'Mark Complete' })
  await expect(complete).toBeEnabled()
  await ana.keyboard.press('a')
  await expect(ana.getByRole('dialog').getByRole('button', { name: 'Mark Complete' })).toBeFocused()
  await ana.getByRole('dialog').getByLabel('Confirmation number').fill(`PP-${id}`)
  await ana.keyboard.press('Enter')
  await expect.poll(status).toBe('completed')
  const { payout } = await (await ana.request.get(`/api/admin/submissions/${id}`)).json()
  expect(payout).toMatchObject({ state: 'paid', reference: `PP-${id}` })
})

test('remembers in this browser that shortcuts are off', async ({ page, ana }) => {
  const { ids, view } = await cardsOf(page, {}, {})
  await ana.goto(view)
  await expect(ana.getByRole('button', { name: 'Keys' })).toBeVisible()
  await ana.keyboard.press('?')
  const box = ana.getByRole('checkbox', { name: 'Single-key shortcuts' })
  await box.press('Space')
  await expect(box).not.toBeChecked()
  await ana.reload()
  const reject = openSubmission(ana).getByRole('button', { name: 'Reject' })
  await expect(reject).toHaveText('Reject')
  await expect(reject).not.toHaveAttribute('aria-keyshortcuts')
  for (const key of ['r', 'j', '2', '?']) await ana.keyboard.press(key)
  // The arrow needs the list, which may load after the open submission.
  await expect(rowsOf(ana)).toHaveCount(2)
  await ana.keyboard.press('ArrowDown')
  await expect(ana).toHaveURL(new RegExp(`id=${ids[0]}`))
  await expect(ana.getByRole('dialog')).toHaveCount(0)
  await ana.getByRole('button', { name: 'Keys' }).click()
  await expect(box).not.toBeChecked()
  await box.press('Space')
  await ana.keyboard.press('Escape')
  await expect(ana.getByRole('dialog')).toHaveCount(0)
  await ana.keyboard.press('r')
  await expect(ana.getByRole('dialog', { name: 'Reject' })).toBeVisible()
})

test('lists the keys on ?, and ignores them while typing or in a dialog', async ({ page, ana }) => {
  const { id, view } = await cardsOf(page, {})
  await ana.goto(view)
  const desk = openSubmission(ana)
  await expect(desk.getByRole('button', { name: 'Approve & Complete' })).toBeEnabled()
  await ana.keyboard.press('?')
  const keys = ana.getByRole('dialog', { name: 'Keys' })
  await expect(keys.getByText('Approve & Complete · Mark Complete')).toBeVisible()
  await ana.keyboard.press('a')
  await ana.keyboard.press('Escape')
  await expect(keys).toBeHidden()
  await ana.keyboard.press('/')
  await ana.keyboard.type('aaa r?')
  await expect(ana.getByRole('searchbox')).toHaveValue('aaa r?')
  await expect(ana.getByRole('dialog')).toHaveCount(0)
  const { status } = await (await ana.request.get(`/api/admin/submissions/${id}`)).json()
  expect(status).toBe('pending')
  await ana.keyboard.press('Escape')
  await ana.keyboard.press('2')
  await expect(ana.getByRole('tab', { name: 'Users' })).toHaveAttribute('aria-selected', 'true')
})

test('scrolls the submission, copies its number and adds a note without the mouse', async ({ page, ana }) => {
  const { view } = await cardsOf(page, { cardNumber: NUMBER })
  await ana.context().grantPermissions(['clipboard-write'])
  await ana.setViewportSize({ width: 1440, height: 600 })
  await ana.goto(view)
  const notes = openSubmission(ana).getByRole('region', { name: 'Notes' })
  await expect(notes.getByText('No notes yet.')).toBeAttached()
  await expect(notes).not.toBeInViewport()
  for (let page = 0; page < 6; page++) await ana.keyboard.press('Space')
  await expect(notes).toBeInViewport()
  await ana.keyboard.press('v')
  await expect(openSubmission(ana).getByText(NUMBER)).toBeVisible()
  await ana.keyboard.press('c')
  await expectToast(ana, 'Copied', 'We copied the card number to the clipboard.')
  await ana.keyboard.press('w')
  await ana.keyboard.type('Balance line says 9 minutes')
  await ana.keyboard.press('Control+Enter')
  await expect(notes.getByRole('listitem')).toContainText('Balance line says 9 minutes')
})

test('shows a revealed number and account on one line at every width', async ({ page, ana }) => {
  const { view } = await cardsOf(page, {
    cardNumber: NUMBER,
    paymentType: 'paypal',
    paymentAccountInfo: 'nina.petrova@example.org',
  })
  const desk = openSubmission(ana)
  for (const width of [1100, 1440, 1700]) {
    await ana.setViewportSize({ width, height: 900 })
    await ana.goto(view)
    await desk.getByRole('button', { name: 'Reveal' }).click()
    for (const revealed of [
      desk.getByText(NUMBER),
      desk.getByText(/^nina\.petrova(@example\.org)?$/).last(),
    ]) {
      const { height = 0 } = (await revealed.boundingBox()) ?? {}
      expect(height).toBeLessThan(30)
    }
  }
})

test('hides revealed numbers after 30 seconds and when the window loses focus', async ({ page, ana }) => {
  const { view } = await cardsOf(page, { cardNumber: NUMBER })
  await ana.clock.install()
  await ana.goto(view)
  const desk = openSubmission(ana)
  const number = desk.getByText(NUMBER)
  await expect(desk.getByText('•••• 5678')).toBeVisible()
  await ana.keyboard.press('v')
  await expect(number).toBeVisible()
  await ana.clock.fastForward(28_000)
  await expect(number).toBeVisible()
  await ana.clock.fastForward(2500)
  await expect(number).toBeHidden()
  await desk.getByRole('button', { name: 'Reveal' }).click()
  await expect(number).toBeVisible()
  await ana.evaluate(() => window.dispatchEvent(new Event('blur')))
  await expect(number).toBeHidden()
})

test('renders only the visible rows of a long list, and J goes beyond them', async ({
  page,
  ana,
  database,
}) => {
  const { seller, id, view } = await cardsOf(page, {})
  await copySubmission(database, id, 400)
  await ana.goto(view)
  await expect(listOf(ana).getByRole('status').first()).toHaveText('75 of 401 submissions')
  await expect(rowsOf(ana).first()).toContainText(seller.username)

  // Scrolling to the end loads one more page, and only one.
  const scroll = () =>
    listOf(ana).evaluate((list) => {
      const view = list.querySelector('ul')?.parentElement
      view?.scrollTo(0, view.scrollHeight)
    })
  for (const loaded of [125, 175, 225, 275]) {
    await scroll()
    await expect(listOf(ana).getByRole('status').first()).toHaveText(`${loaded} of 401 submissions`)
    expect(await rowsOf(ana).count()).toBeLessThanOrEqual(60)
  }

  await rowsOf(ana).last().click()
  const place = async () =>
    Number(await listOf(ana).locator('[aria-current]').locator('..').getAttribute('aria-posinset'))
  const from = await place()
  for (const gone of [15, 30]) {
    for (let presses = 0; presses < 15; presses += 1) await ana.keyboard.press('j')
    await expect.poll(place).toBe(from + gone)
  }
  await expect(listOf(ana).locator('[aria-current]')).toBeInViewport()
  await expect(listOf(ana).locator('[aria-current]')).toBeFocused()
  for (let presses = 0; presses < 5; presses += 1) await ana.keyboard.press('k')
  await expect.poll(place).toBe(from + 25)

  const gap = async () => {
    const [one, next] = await Promise.all([0, 1].map((index) => rowsOf(ana).nth(index).boundingBox()))
    return (next?.y ?? 0) - (one?.y ?? 0)
  }
  const comfortable = await gap()
  await ana.getByRole('button', { name: 'Compact rows' }).click()
  await expect.poll(gap).toBeLessThan(comfortable)
})

test('keys pressed while the list loads leave no gap above its first row', async ({ page, ana }) => {
  const { view } = await cardsOf(page, {}, {})
  // On a slow computer, the list learns late that its skeleton is gone.
  await ana.addInitScript(() => {
    const Observer = window.ResizeObserver
    window.ResizeObserver = class extends Observer {
      constructor(callback: ResizeObserverCallback) {
        super((...news) => void setTimeout(callback, 1000, ...news))
      }
    }
  })
  const load = await holdBack(ana, /\/api\/admin\/submissions\?/)
  await ana.goto(view)
  await expect(listOf(ana).getByText('Loading...', { exact: true })).toBeVisible()
  await ana.keyboard.press('j')
  await ana.keyboard.press('j')
  load()
  await expect(rowsOf(ana).nth(1)).toHaveAttribute('aria-current', 'true')
  const [bar, row] = await Promise.all(
    [listOf(ana).getByText('2 submissions'), rowsOf(ana).first()].map((locator) => locator.boundingBox()),
  )
  expect((row?.y ?? 0) - (bar?.y ?? 0) - (bar?.height ?? 0)).toBeLessThan(40)
})

/** Presses keys faster than anything can render. @returns the text of the page afterwards */
function pressAtOnce(page: Page, ...keys: string[]): Promise<string> {
  return page.evaluate(async (keys) => {
    for (const key of keys) {
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    }
    await new Promise(requestAnimationFrame)
    return document.body.innerText
  }, keys)
}

/** Holds back a script or a call. @returns a function that lets it load */
async function holdBack(page: Page, script: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(script, async (route) => {
    await promise
    await route.continue()
  })
  return resolve
}

/** Holds back the answer of a call that the server has done. @returns a function that lets it through */
async function holdBackAnswer(page: Page, path: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(`**${path}`, async (route) => {
    const response = await route.fetch()
    await promise
    await route.fulfill({ response })
  })
  return resolve
}

/** Holds back a script. @returns a function that makes it fail and waits for that */
async function failLater(page: Page, script: RegExp): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(script, async (route) => {
    await promise
    await route.abort()
  })
  return async () => {
    const failed = page.waitForEvent('requestfailed', (request) => script.test(request.url()))
    resolve()
    await failed
  }
}
