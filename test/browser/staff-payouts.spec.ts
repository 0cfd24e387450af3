import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import type { Pool } from 'pg'
import type { WirePayout } from '#contract/payouts.ts'
import { readWords } from '#words/catalogs.ts'
import { expect, test } from './desk.ts'
import { expectAccessible } from './looks.ts'
import { expectToast, move, pressAnyway, signedUp, submitCard } from './sellers.ts'

test('two people pay by file, and one by worksheet with keys only', async ({ page, ana, ben, database }) => {
  test.slow()
  const seller = await signedUp(page)
  await database.query('update users set verified = true where id = $1', [seller.id])
  await approved(page, ana, { paymentType: 'paypal', paymentAccountInfo: 'sally@example.com' })
  await approved(page, ana, { paymentType: 'venmo', paymentAccountInfo: '@sally-seller' })
  await approved(page, ana, { paymentType: 'zelle', paymentAccountInfo: '(212) 555-0187' })
  await approved(page, ana, { paymentType: 'cash_app', paymentAccountInfo: '$sallyseller' })

  await ana.goto('/admin/payouts')
  const search = ana.getByRole('searchbox', { name: 'Search payouts' })
  await search.pressSequentially(seller.username)
  await expect(ana).toHaveURL(new RegExp(`q=${seller.username}$`))
  await expect(search).toBeFocused()
  const list = ana.getByRole('region', { name: 'Payouts', exact: true })
  await expect(list.getByRole('listitem').filter({ hasText: seller.username })).toHaveCount(4)
  await expect(ana.getByRole('region', { name: 'PayPal file' })).toContainText('Venmo')
  const boxes = ana.getByRole('checkbox', { name: new RegExp(`of ${seller.username}`) })
  await boxes.first().click()
  const selection = ana.getByRole('region', { name: 'Selection' })
  // It comes up below the list, which must not happen between a press and its release.
  await expect(selection).toContainText('$93.00')
  await boxes.nth(3).click({ modifiers: ['Shift'] })
  await expect(selection).toContainText('$372.00')
  await expect(selection.getByRole('button', { name: 'Create 2 batches' })).toBeVisible()
  await ana.keyboard.press('j')
  await ana.keyboard.press('j')
  await ana.keyboard.press('j')
  await expect(ana.getByRole('region', { name: 'Payout', exact: true })).toContainText('Zelle')
  await ana.keyboard.press('x')
  await ana.keyboard.press('j')
  await ana.keyboard.press('x')
  await expect(selection).toContainText('$186.00')
  await expectAccessible(ana)
  await ana.keyboard.press('Escape')
  await expect(ana.getByRole('region', { name: 'Payout', exact: true })).toHaveCount(0)
  await expect(list.getByRole('listitem').getByRole('link', { name: /Amazon Cash App/ })).toBeFocused()
  await ana.keyboard.press('b')
  await expectToast(ana, 'Batch Created', '2 payouts')
  await pressKey(ana, 'f', 'Freeze')
  await expectToast(ana, 'Batch Frozen')
  await expect(ana.getByRole('button', { name: 'Release', exact: true })).toHaveAttribute(
    'aria-disabled',
    'true',
  )
  await ana.keyboard.press('r')
  await expectToast(ana, 'Not Allowed', 'somebody else has to release it')
  await expect(ana.getByText(/May release it: .*\bben\b/)).toBeVisible()
  await expect(ana.getByText(/May release it: .*\b(you|ana)\b/)).toHaveCount(0)

  await ben.goto('/admin')
  await ben.getByRole('button', { name: /^Notifications, \d+ unread/ }).click()
  const notice = ben.getByRole('link', { name: /Batch to Release.*ana/ }).first()
  await expect(notice).toContainText('$186.00')
  await notice.click()
  await expect(ben).toHaveURL(ana.url())
  await released(ben)
  await expect(ana.getByRole('listitem').filter({ hasText: 'Released' }).first()).toContainText('ben')
  await expect(ana.getByText('somebody else has to release it')).toHaveCount(0)
  const downloaded = ben.waitForEvent('download')
  await pressKey(ben, 'd', 'Download file')
  const file = await downloaded
  expect(file.suggestedFilename()).toMatch(/^payouts-\d+\.csv$/)
  const text = await readFile(await file.path(), 'utf8')
  expect(text).toContain('sally@example.com,93.00,USD')
  expect(text).toContain('@sally-seller,93.00,USD')
  await expectToast(ben, 'File Downloaded')
  await expectAccessible(ben)
  await pressKey(ben, 'm', 'Mark all as paid')
  await expect(ben.getByRole('dialog').getByRole('textbox').first()).toBeFocused()
  await ben.keyboard.insertText('PP-77')
  await ben.keyboard.press('Enter')
  await expect(ben.getByText('2 payouts, 2 paid')).toBeVisible()

  const [number] = /payout-\d+/.exec(text) ?? []
  const report = `Unique ID,Status,Amount\n${number},Returned,93.00\npayout-999999999,Returned,93.00\n`
  await ana.goto('/admin/payouts?view=batches')
  await expect(ana.getByRole('region', { name: 'batches' })).toBeVisible()
  await ana.keyboard.press('3')
  await expect(ana.getByRole('button', { name: 'Import file' })).toBeVisible()
  await ana.keyboard.press('i')
  const chooser = ana.waitForEvent('filechooser')
  await ana.getByLabel('File', { exact: true }).press('Space')
  await (await chooser).setFiles({ name: 'report.csv', mimeType: 'text/csv', buffer: Buffer.from(report) })
  const dialog = ana.getByRole('dialog', { name: 'Import a file' })
  await expect(dialog.getByRole('listitem')).toContainText(['Line 3'])
  await expectAccessible(ana)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(list.getByRole('listitem').filter({ hasText: seller.username })).toContainText(
    'Nobody claimed the money within 30 days',
  )

  await list
    .getByRole('link', { name: `Message ${seller.username}` })
    .first()
    .click()
  await expect(ana).toHaveURL(/\/admin\/chat\?user=/)
  await expect(ana.getByRole('heading', { name: seller.username }).first()).toBeVisible()

  await ana.goto(`/admin/payouts?q=${seller.username}`)
  await ana.getByRole('checkbox', { name: 'Select all 2 ready' }).click()
  await ana.keyboard.press('b')
  await expectToast(ana, 'Batch Created')
  await pressKey(ana, 'f', 'Freeze')
  await expectToast(ana, 'Batch Frozen')
  await ben.goto(ana.url())
  await released(ben)
  await ben.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await pressKey(ben, 'w', 'Start paying')
  await expect(ben.getByText('1 of 2')).toBeVisible()
  await expect(ben.getByRole('region', { name: /\(F8\)$/ }).getByRole('listitem')).toHaveCount(0)
  await ben.keyboard.press('j')
  await expect(ben.getByRole('heading', { name: 'Cash App' })).toBeVisible()
  await ben.keyboard.press('v')
  await expect(ben.getByText('$sallyseller')).toBeVisible()
  await ben.keyboard.press('c')
  await expectToast(ben, 'Copied')
  expect(await ben.evaluate(() => navigator.clipboard.readText())).toBe('$sallyseller')
  await ben.keyboard.press('Enter')
  await ben.keyboard.press('Enter')
  const confirmation = ben.getByRole('textbox', { name: 'Confirmation number' })
  await expect(confirmation).toHaveAccessibleDescription(/Enter the confirmation number/)
  await expectAccessible(ben)
  await ben.keyboard.insertText('CA-1')
  await ben.keyboard.press('Enter')
  await expect(ben.getByRole('heading', { name: 'Zelle' })).toBeFocused()
  await expect(ben.getByText('1 to pay')).toBeVisible()
  // Others who open the same payout see who is paying it.
  await ana.goto(ben.url())
  await expect(ana.getByText(/^ben\S* has this card open$/)).toBeVisible()
  await expect(ana.getByRole('textbox', { name: 'Confirmation number' })).toHaveCount(0)
  await ana.getByRole('link', { name: /^Batch \d/ }).click()
  const unpaid = list.getByRole('listitem').filter({ hasText: 'Zelle' })
  await expect(unpaid).toContainText('To pay')
  await expect(unpaid).toContainText(/due .* ago|due now/)
  await expect(list.getByText(/sent/)).toHaveCount(0)
  const { y: clickedAt = 0 } = (await unpaid.boundingBox()) ?? {}
  await unpaid.getByRole('link', { name: /Amazon Zelle/ }).click()
  const panel = ana.getByRole('region', { name: 'Payout', exact: true })
  await expect(panel.getByRole('term')).toContainText(['Started'])
  // The panel makes the head of the list higher, but the clicked row stays below the pointer.
  expect((await unpaid.boundingBox())?.y).toBeCloseTo(clickedAt, 0)
  await ben.keyboard.press('Enter')
  await ben.keyboard.insertText('ZELLE-2')
  await ben.keyboard.press('Enter')
  await expect(ben.getByText('Nothing is left to pay')).toBeVisible()

  await ben.goto(`/admin/seller?id=${seller.id}`)
  const payouts = ben.getByRole('region', { name: 'Payouts', exact: true })
  await expect(payouts.getByText('Paid', { exact: true })).toHaveCount(3)
  await expect(payouts.getByText('CA-1')).toBeVisible()
})

test('a bank statement settles a batch and books a fee, by keys and by mouse', async ({ ana, database }) => {
  const batch = await database.query(
    `insert into payout_batches (id, file_kind, payment_types, state, count, total, created_by, exported_at)
      select gen_random_uuid(), 'nacha', '{bank_transfer}', 'exported', 0, 7654321, id, now() - interval '20 days'
      from administrators limit 1 returning id, number`,
  )
  const [{ id, number }] = batch.rows
  const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toLocaleDateString('en-US')
  const statement = [
    'Date,Description,Amount',
    `${dayBefore(12)},PAYOUT,"-76,543.21"`,
    `${dayBefore(12)},BANK FEE,-7.65`,
    `${dayBefore(11)},RENT,-1850.00`,
  ].join('\n')
  await ana.goto('/admin/payouts?view=batches')
  await ana.getByRole('button', { name: 'Unfinished' }).click()
  const row = ana.getByRole('row').filter({ hasText: '$76,543.21' })
  await expect(row).toContainText('Overdue: not settled yet')
  await ana.keyboard.press('i')
  const dialog = ana.getByRole('dialog', { name: 'Import a bank statement' })
  const choose = async (text: string) => {
    const chooser = ana.waitForEvent('filechooser')
    await dialog.getByLabel('File', { exact: true }).press('Space')
    const file = { name: 'statement.csv', mimeType: 'text/csv', buffer: Buffer.from(text) }
    await (await chooser).setFiles(file)
  }
  await choose('Date,Balance\n1/2/2026,5.00\n')
  await expect(dialog.getByRole('alert')).toContainText('No column Amount (or Debit), Description was found')
  await choose(statement)
  const lines = dialog.getByRole('list', { name: 'Lines' }).getByRole('listitem')
  await expect(lines).toHaveCount(2)
  await expect(lines.first().getByRole('combobox')).toHaveValue(id)
  await expect(lines.nth(1).getByRole('combobox')).toHaveValue('fee')
  await dialog.getByRole('button', { name: 'Show 1 line of other business' }).click()
  await expect(lines).toHaveCount(3)
  await expectAccessible(ana)
  await dialog.getByRole('button', { name: 'Apply 2 lines' }).press('Enter')
  await expect(dialog.getByRole('alert')).toContainText('1 batch settled, 1 fee booked ($7.65)')
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(row).toHaveCount(0)
  await ana.getByRole('button', { name: 'Unfinished' }).click()
  await row.getByRole('link', { name: `Batch ${number}` }).click()
  await expect(ana.getByRole('listitem').filter({ hasText: 'Settled' }).first()).toContainText('ana')
  await expectAccessible(ana)
})

test('one person reports that the bank rejected a file, and another confirms it', async ({
  page,
  ana,
  ben,
  database,
}) => {
  const seller = await signedUp(page)
  await database.query('update users set verified = true where id = $1', [seller.id])
  await approved(page, ana, { paymentType: 'paypal', paymentAccountInfo: 'sally@example.com' })
  await approved(page, ana, { paymentType: 'paypal', paymentAccountInfo: 'sally@example.com' })
  await ana.goto(`/admin/payouts?q=${seller.username}`)
  await ana.getByRole('checkbox', { name: 'Select all 2 ready' }).click()
  await ana.keyboard.press('b')
  await expectToast(ana, 'Batch Created')
  await pressKey(ana, 'f', 'Freeze')
  await expectToast(ana, 'Batch Frozen')
  await ben.goto(ana.url())
  await released(ben)
  await pressKey(ben, 'd', 'Download file')
  await expectToast(ben, 'File Downloaded')

  await ana.getByRole('button', { name: 'Rejected by the bank…' }).click()
  const report = ana.getByRole('dialog', { name: /^Did the bank reject/ })
  await pressAnyway(report.getByRole('button', { name: 'Report rejection' }))
  await expect(report).toContainText('A reason is required')
  await expect(report.getByLabel('What the bank said')).toHaveAttribute('maxlength', '500')
  await expect(report.getByLabel('What the bank said')).toBeFocused()
  await report.getByLabel('What the bank said').fill('The company id is wrong')
  await expectAccessible(ana)
  await report.getByRole('button', { name: 'Report rejection' }).click()
  await expect(ana.getByRole('button', { name: 'Mark all as paid' })).toHaveCount(0)
  await ana.getByRole('button', { name: 'Confirm rejection' }).click()
  const own = ana.getByRole('dialog', { name: /^Confirm that batch/ })
  await own.getByRole('button', { name: 'Confirm rejection' }).click()
  await expect(own.getByRole('alert')).toContainText('somebody else has to confirm it')

  await expect(ben.getByText('“The company id is wrong”')).toBeVisible()
  await expectAccessible(ben)
  await ben.getByRole('button', { name: 'Confirm rejection' }).click()
  await ben
    .getByRole('dialog', { name: /^Confirm that batch/ })
    .getByRole('button', { name: 'Confirm rejection' })
    .click()
  await expectToast(ben, 'Batch Rejected')
  await expect(ben.getByText('Never send this file again')).toBeVisible()
  await expect(ben.getByRole('listitem').filter({ hasText: 'Rejected' }).first()).toContainText('ben')
  await ben.goto(`/admin/payouts?q=${seller.username}`)
  await expect(ben.getByRole('checkbox', { name: 'Select all 2 ready' })).toBeVisible()
})

test('says before a batch is frozen that nobody could release it, and again afterwards', async ({
  ana,
  database,
}) => {
  const id = await emptyBatch(database, { state: 'open' })
  // As with TWO_PERSON_RELEASE=always in a shop where nobody else may pay.
  await ana.route(`**/api/admin/payout-batches/${id}**`, async (route) => {
    const response = await route.fetch()
    const batch = await response.json()
    await route.fulfill({
      response,
      json: { ...batch, needsOtherToFreeze: true, createdBy: 'ben', payers: ['ana'], releasers: [] },
    })
  })
  await ana.goto(`/admin/payouts?batch=${id}`)
  await pressKey(ana, 'f', 'Freeze')
  const dialog = ana.getByRole('dialog', { name: /^Freeze batch/ })
  await expect(dialog).toContainText('After you freeze it, nobody is left who may release it')
  await expect(dialog).toContainText('First ask an owner for another person who may pay.')
  await expectAccessible(ana)
  await dialog.getByRole('button', { name: 'Freeze anyway' }).click()
  await expectToast(ana, 'Batch Frozen')
  await expect(ana.getByText('Nobody may release this batch')).toBeVisible()
  await expectAccessible(ana)
  await ana.unroute(`**/api/admin/payout-batches/${id}**`)
  await ana.getByRole('button', { name: 'Dissolve' }).click()
  await ana.getByRole('button', { name: 'Dissolve batch' }).click()
  const steps = ana.getByRole('list', { name: 'Steps' }).getByRole('listitem')
  await expect(steps).toContainText(['Created', 'Frozen', 'Dissolved'])
  await expect(steps.last()).toHaveAttribute('aria-current', 'step')
})

test('records a batch as paid before its day only after a checked box', async ({ ana, database }) => {
  const id = await emptyBatch(database, { state: 'exported', expectedInDays: 3 })
  await ana.goto(`/admin/payouts?batch=${id}`)
  await expect(ana.getByText(/Nothing to do until \w+ \d+/)).toBeVisible()
  await pressKey(ana, 'm', 'Mark all as paid')
  const dialog = ana.getByRole('dialog', { name: /^Mark batch/ })
  await dialog.getByRole('button', { name: /^Mark .* as paid$/ }).click()
  await expect(dialog).toContainText('Check this if the money has arrived')
  const box = dialog.getByRole('checkbox', { name: 'The bank or service has already paid all of it' })
  await expect(box).toBeFocused()
  await expectAccessible(ana)
  await box.check()
  await dialog.getByRole('button', { name: /^Mark .* as paid$/ }).click()
  await expectToast(ana, 'Batch Paid')
})

test('a due payout says everywhere that it waits for the email of its seller', async ({
  page,
  ana,
  database,
}) => {
  const seller = await signedUp(page)
  const id = await submitCard(page, { paymentType: 'zelle', paymentAccountInfo: '(212) 555-0187' })
  await move(ana, id, 'processing')
  await ana.goto(`/admin/payouts?q=${seller.username}`)
  await expect(ana.getByRole('region', { name: 'Worksheet' })).toContainText(/\d waits? for email/)
  const row = ana
    .getByRole('region', { name: 'Payouts', exact: true })
    .getByRole('listitem')
    .filter({ hasText: seller.username })
  await expect(row).toContainText('Email not confirmed')
  await row.getByRole('link', { name: /Amazon/ }).click()
  const panel = ana.getByRole('region', { name: 'Payout', exact: true })
  await expect(panel.getByText('Waits for email', { exact: true })).toBeVisible()
  await expect(panel.getByRole('button', { name: 'Send again' })).toBeVisible()
  await ana.goto(`/admin?id=${id}`)
  const waits = ana.getByRole('main').getByText('Waits for email', { exact: true })
  await expect(waits).toBeVisible()
  await ana.goto(`/admin/seller?id=${seller.id}`)
  await expect(waits).toBeVisible()
  await database.query('update users set confirmation_waived = true where id = $1', [seller.id])
  await ana.reload()
  await expect(
    ana.getByRole('region', { name: 'Payouts', exact: true }).getByText('Due', { exact: true }),
  ).toBeVisible()
  await expect(waits).toHaveCount(0)
})

test('voiding a payout previews what the seller reads, and shows the reason, who and when afterwards', async ({
  page,
  ana,
  database,
}) => {
  const { en, es } = readWords({ product: 'Unspent' })
  const seller = await signedUp(page)
  await database.query('update users set verified = true where id = $1', [seller.id])
  await page.request.put('/api/user/locale', { data: { locale: 'es' } })
  const account = { paymentType: 'paypal', paymentAccountInfo: 'sally@example.com' }
  await approved(page, ana, account)
  const second = await approved(page, ana, account)
  const stopsOther = '1 more payout to this account ($93.00) will wait for another account, too.'
  await ana.goto(`/admin?view=pay&id=${second}`)
  await ana.getByRole('button', { name: 'Mark Failed' }).click()
  const failing = ana.getByRole('dialog', { name: 'Mark Failed' })
  await failing.getByRole('option', { name: en('reasons.text.payout_account_closed') }).click()
  await expect(failing).toContainText(stopsOther)

  await ana.goto(`/admin/payouts?q=${seller.username}`)
  const rows = ana
    .getByRole('region', { name: 'Payouts', exact: true })
    .getByRole('listitem')
    .filter({ hasText: seller.username })
  await rows
    .first()
    .getByRole('link', { name: /Amazon/ })
    .click()
  const panel = ana.getByRole('region', { name: 'Payout', exact: true })
  await panel.getByRole('button', { name: 'Void' }).click()
  const dialog = ana.getByRole('dialog', { name: 'Void payout' })
  const preview = dialog.getByRole('region', { name: 'What the seller will see' })
  const own = dialog.getByText(`${seller.username} reads Spanish. Your own text is sent as you wrote it.`)
  await expect(dialog.getByText('Spanish', { exact: true })).toBeVisible()
  await expect(own).toBeVisible()
  const send = dialog.getByRole('button', { name: 'Void payout' })
  await expect(send).toBeDisabled()
  await pressAnyway(send)
  await expect(dialog).toContainText('A reason is required')
  const others = dialog.getByText(stopsOther)
  const safe = es('payoutStatus.failed', { amount: '$93.00' })
  await expect(dialog.getByRole('group')).toHaveCount(1)
  await dialog.getByRole('button', { name: 'Show reasons about the card' }).click()
  await expect(dialog.getByRole('group').first()).toHaveAccessibleName('Payout Problems')
  for (const [code, sentence] of [
    ['usage_redeemed', es('statuses.text.failed')],
    ['payout_account_closed', safe],
    ['payout_routing_wrong', safe],
  ] as const) {
    await dialog.getByRole('option', { name: en(`reasons.text.${code}`) }).click()
    await expect(preview).toContainText(es(`reasons.text.${code}`))
    await expect(preview).toContainText(sentence)
    await expect(own).toHaveCount(0)
    await expect(others).toHaveCount(code === 'usage_redeemed' ? 0 : 1)
  }
  await expectAccessible(ana)
  await dialog.getByLabel('Reason', { exact: true }).fill('The bank is closed for good')
  await expect(own).toBeVisible()
  await expect(preview).toContainText(es('statuses.text.failed'))
  await expect(others).toHaveCount(0)
  await send.click()
  await expectToast(ana, 'Payout Updated', 'Void')
  await expect(panel).toContainText('Void because')
  await expect(panel).toContainText('The bank is closed for good')
  await expect(panel).toContainText(/Voided.*by ana/)
  await expectAccessible(ana)
  await page.goto('/account')
  await expect(page.getByRole('main')).toContainText(es('statuses.text.failed'))
  await panel.getByRole('link', { name: /Amazon/ }).click()
  const desk = ana.getByRole('region', { name: 'Submission', exact: true })
  await expect(desk).toContainText(/Payout \d+ was voided.*The bank is closed for good/)
  await expect(desk).toContainText('The seller is asked to contact support.')
  await desk.getByRole('link', { name: 'Open the payout' }).click()
  await expect(panel).toContainText('Void because')
  await ana.goto(`/admin/payouts?view=all&q=${seller.username}`)
  await expect(rows.last()).toContainText('The bank is closed for good')
})

/** Two due payouts of a new seller to the same account. */
async function twoDue(page: Page, ana: Page, database: Pool) {
  const seller = await signedUp(page)
  await database.query('update users set verified = true where id = $1', [seller.id])
  const account = { paymentType: 'zelle', paymentAccountInfo: `${seller.username}@example.com` }
  const came = await payoutOf(ana, await approved(page, ana, account))
  const other = await payoutOf(ana, await approved(page, ana, account))
  return { seller, came, other }
}

test('a frozen batch says which payout keeps it from being released', async ({
  page,
  ana,
  ben,
  database,
}) => {
  const { seller, came, other } = await twoDue(page, ana, database)
  const batches = '/api/admin/payout-batches'
  const data = { paymentType: 'zelle', payoutIds: [other.id] }
  const batch = await (await ana.request.post(batches, { data })).json()
  await ana.request.post(`${batches}/${batch.id}/freeze`)

  let isOutdated = true
  await ben.route(`**${batches}/${batch.id}`, async (route) => {
    if (!isOutdated) return route.continue()
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), problemCount: 0 } })
  })
  await ben.goto(`/admin/payouts?batch=${batch.id}`)
  await pressKey(ben, 'r', 'Release')
  const dialog = ben.getByRole('dialog', { name: /^Release batch/ })
  await expect(dialog).toContainText('$93.00')
  await ana.request.post(`/api/admin/payouts/${came.id}/paid`, { data: { reference: `ZE-${came.number}` } })
  const refused = { reason: 'The account is limited' }
  await ana.request.post(`/api/admin/payouts/${came.id}/return`, { data: refused })
  isOutdated = false
  await ben.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toContainText(`First take payout ${other.number} out of the batch.`)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(ben.getByText('1 payout cannot leave with this batch', { exact: true })).toBeVisible()
  await expect(ben.getByRole('listitem').filter({ hasText: seller.username })).toContainText(
    'Account Needed: this one was refused',
  )
  const release = ben.getByRole('button', { name: 'Release', exact: true })
  await expect(release).toHaveAttribute('aria-disabled', 'true')
  await ben.keyboard.press('r')
  await expectToast(ben, 'Not Allowed', '1 payout cannot leave with this batch.')
  await expectAccessible(ben)
})

test('corrects the confirmation number of a payment, and warns of one that another payout has', async ({
  page,
  ana,
  database,
}) => {
  const { came, other } = await twoDue(page, ana, database)
  await ana.request.post(`/api/admin/payouts/${came.id}/paid`, { data: { reference: `ZE-${came.number}` } })
  await ana.goto(`/admin/payouts?view=all&id=${came.id}`)
  await ana.getByRole('button', { name: 'Correct number' }).click()
  const dialog = ana.getByRole('dialog', { name: 'Confirmation number' })
  const number = dialog.getByRole('textbox', { name: 'Confirmation number' })
  await expect(number).toHaveValue(`ZE-${came.number}`)
  await ana.request.post(`/api/admin/payouts/${other.id}/paid`, { data: { reference: `ZE-${other.number}` } })
  await number.fill(`ZE-${other.number}`)
  const save = dialog.getByRole('button', { name: 'Save number' })
  await save.click()
  await expect(number).toHaveAccessibleDescription(/^Already used for payout \d+ \(\S+, \$93\.00\)/)
  await expect(number).toBeFocused()
  await expectAccessible(ana)
  await save.click()
  await expectToast(ana, 'Payout Updated')
  await expect(ana.getByRole('region', { name: 'Payout', exact: true })).toContainText(`ZE-${other.number}`)
  await page.goto('/transactions')
  await expect(page.getByRole('table').getByText(`ZE-${other.number}`)).toHaveCount(2)
})

test('opening or selecting a due payout moves nothing, and only the open one offers to allow its account', async ({
  page,
  ana,
  database,
}) => {
  const { seller, came, other } = await twoDue(page, ana, database)
  await ana.goto(`/admin/payouts?q=${seller.username}`)
  const rows = ana.getByRole('listitem').filter({ hasText: seller.username })
  const title = ana.getByRole('heading', { name: 'Worksheet' })
  const places = () =>
    Promise.all(
      [title, rows.first()].map(async (locator) => Math.round((await locator.boundingBox())?.y ?? 0)),
    )
  await expect(rows).toHaveCount(2)
  const before = await places()
  await rows.getByRole('checkbox').first().click()
  await expect(ana.getByRole('region', { name: 'Selection' })).toBeVisible()
  expect(await places()).toEqual(before)
  await rows.getByRole('link', { name: new RegExp(`#${other.number}`) }).click()
  const panel = ana.getByRole('region', { name: 'Payout', exact: true })
  await expect(panel).toContainText('Zelle')
  expect(await places()).toEqual(before)

  await ana.request.post(`/api/admin/payouts/${came.id}/paid`, { data: {} })
  const reason = 'The account is limited'
  await ana.request.post(`/api/admin/payouts/${came.id}/return`, { data: { reason } })
  await expect(panel).toContainText(
    `${reason}. The seller is asked for another account. If it can be paid after all, press Allow account.`,
  )
  await ana.keyboard.press('Escape')
  await expect(rows).toContainText('Account Needed: this one was refused')
  await expect(rows).not.toContainText('Allow account')
})

test('leaves the payouts to an account that sent money back out of a selection', async ({
  page,
  ana,
  database,
}) => {
  const { seller, came } = await twoDue(page, ana, database)
  const account = { paymentType: 'zelle', paymentAccountInfo: `other-${seller.username}@example.com` }
  await approved(page, ana, account)
  await ana.request.post(`/api/admin/payouts/${came.id}/paid`, { data: {} })
  const reason = 'Your payout account has reached the limit of its provider.'
  await ana.request.post(`/api/admin/payouts/${came.id}/return`, { data: { reason } })
  await ana.goto(`/admin/payouts?q=${seller.username}`)
  await ana.getByRole('checkbox', { name: 'Select all 2 ready' }).click()
  const bar = ana.getByRole('region', { name: 'Selection' })
  await expect(bar).toContainText('1 payout goes to an account that sent back another payout')
  await expectAccessible(ana)
  await bar.getByRole('button', { name: 'Leave out 1' }).click()
  await expect(bar).not.toContainText('sent back')
  await bar.getByRole('button', { name: 'Create batch of 1' }).click()
  await expectToast(ana, 'Batch Created')
  const toast = ana.getByRole('region', { name: /Notifications/ }).getByRole('listitem')
  const [above, below] = [
    await ana.getByRole('region', { name: 'Payouts', exact: true }).boundingBox(),
    await toast.boundingBox(),
  ]
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(below?.y ?? 0)
})

test('shows the state of a payout beside its note, and the worksheet only after its start is loaded', async ({
  page,
  ana,
  ben,
  database,
}) => {
  const { seller, came, other } = await twoDue(page, ana, database)
  await ana.request.post(`/api/admin/payouts/${came.id}/paid`, { data: { reference: `ZE-${came.number}` } })
  await page.request.put('/api/user/locale', { data: { locale: 'es' } })
  const batches = '/api/admin/payout-batches'
  const data = { paymentType: 'zelle', payoutIds: [other.id] }
  const batch = await (await ana.request.post(batches, { data })).json()
  await ana.request.post(`${batches}/${batch.id}/freeze`)
  await ana.goto(`/admin/payouts?view=all&id=${came.id}`)
  await ana.getByRole('button', { name: 'Record return' }).click()
  const dialog = ana.getByRole('dialog', { name: 'Record return' })
  const record = dialog.getByRole('button', { name: 'Record return' })
  await expect(record).toHaveAttribute('aria-disabled', 'true')
  await dialog.getByRole('option', { name: 'The payment provider refused the payout.' }).click()
  const { es } = readWords({ product: 'Unspent' })
  await expect(dialog.getByRole('textbox', { name: 'Reason' })).toHaveValue(es('reasons.text.payout_refused'))
  await expect(dialog).toContainText('Their other payouts to this one wait until then')
  await expect(dialog.getByRole('region', { name: 'What the seller will see' })).toContainText(
    es('payoutStatus.returned.reason', { reason: es('reasons.text.payout_refused') }),
  )
  await record.click()
  await expectToast(ana, 'Payout Updated')
  await ana.goto(`/admin/payouts?view=all&state=batched&q=${seller.username}`)
  await expect(ana.getByRole('listitem').filter({ hasText: seller.username })).toContainText(
    new RegExp(`In a batch.*Batch ${batch.number}.*Account Needed: this one was refused`),
  )
  await expectAccessible(ana)

  await ana.request.post(`/api/admin/payouts/${other.id}/lift-account`, {
    data: { reason: 'It works again' },
  })
  await ben.request.post(`${batches}/${batch.id}/release`)
  await ben.goto(`/admin/payouts?batch=${batch.id}`)
  await expect(ben.getByRole('listitem').filter({ hasText: seller.username })).toBeVisible()
  const { promise: mayLoad, resolve: load } = Promise.withResolvers<void>()
  await ben.route('**/api/admin/payouts?*', async (route) => {
    await mayLoad
    await route.continue()
  })
  await pressKey(ben, 'w', 'Start paying')
  await expect(ben.getByText('Loading the worksheet')).toBeAttached()
  await expect(ben.getByText(/none left|Nothing is left to pay/)).toHaveCount(0)
  load()
  await expect(ben.getByText('1 to pay')).toBeVisible()
  await pressKey(ben, 't', 'Cannot be paid')
  await expect(ben.getByRole('dialog', { name: 'Record return' })).toContainText('or could not be sent')
  await expectAccessible(ben)
  await ben.keyboard.press('Escape')
  await expect(ben.getByRole('dialog')).toHaveCount(0)

  const { promise: mayLoadAgain, resolve: loadAgain } = Promise.withResolvers<void>()
  await ben.route('**/api/admin/payouts?*', async (route) => {
    await mayLoadAgain
    await route.continue()
  })
  await ben.getByRole('textbox', { name: 'Confirmation number' }).fill(`ZE-${other.number}`)
  await ben.keyboard.press('Enter')
  await expect(ben.getByText('none left')).toBeVisible()
  loadAgain()
})

async function emptyBatch(
  database: Pool,
  { state, expectedInDays = 0 }: { state: string; expectedInDays?: number },
): Promise<string> {
  const { rows } = await database.query(
    `insert into payout_batches
       (id, file_kind, payment_types, state, count, total, created_by, exported_at, expected_on)
     select gen_random_uuid(), 'paypal', '{paypal}', $1, 2, 18600, id,
       case when $1 = 'exported' then now() end, (now() + make_interval(days => $2))::date
     from administrators where username = 'ana' returning id`,
    [state, expectedInDays],
  )
  return rows[0].id
}

/** Submits a card for $93.00 and approves it, so that its payout is due. @returns the id of the submission */
async function approved(page: Page, staffPage: Page, fields: Parameters<typeof submitCard>[1]) {
  const id = await submitCard(page, fields)
  await move(staffPage, id, 'processing')
  return id
}

async function payoutOf(staffPage: Page, submissionId: string): Promise<WirePayout> {
  const [payout] = await (await staffPage.request.get(`/api/admin/payouts?q=${submissionId}`)).json()
  return payout
}

async function released(page: Page): Promise<void> {
  await pressKey(page, 'r', 'Release')
  await expect(page.getByRole('dialog', { name: /^Release batch/ })).toContainText('$186.00')
  await page.keyboard.press('Enter')
  await expectToast(page, 'Batch Released')
}

/** Presses the key of a button, which appears after the toast of the step before. */
async function pressKey(page: Page, key: string, button: string): Promise<void> {
  await expect(page.getByRole('button', { name: button, exact: true })).toBeVisible()
  await page.keyboard.press(key)
}
