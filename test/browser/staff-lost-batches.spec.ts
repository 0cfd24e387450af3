import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Pool } from 'pg'
import { PaypalEmulator } from '#test/paypal.ts'
import { instantSettings } from '../../scripts/demo-settings.mjs'
import { test as base, expect } from './desk.ts'
import { expectAccessible } from './looks.ts'
import { asStaff, expectToast, move, signedUp, submitCard } from './sellers.ts'

/** A server that sends batches through an emulator of PayPal. */
const test = base.extend<object, { emulator: PaypalEmulator; settings: Record<string, string> }>({
  emulator: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the requested fixtures from the pattern
    async ({}, use) => use(await PaypalEmulator.start()),
    { scope: 'worker' },
  ],
  settings: [
    async ({ emulator }, use) =>
      use({
        ...{ ...instantSettings, PAYPAL_WEBHOOK_ID: 'WH0TEST', PAYPAL_EMULATOR: emulator.url },
        NODE_OPTIONS: `--import ${join(import.meta.dirname, '../redirect-paypal.ts')}`,
      }),
    { scope: 'worker' },
  ],
})

test('a batch that PayPal never answered is found there by its id, or two people abandon it', async ({
  page,
  ana,
  ben,
  staffPage,
  database,
  emulator,
}) => {
  test.slow()
  const seller = await signedUp(page)
  await database.query('update users set verified = true where id = $1', [seller.id])

  const found = await lostBatch('lose', { page, ana, ben, database, emulator })
  await ana.goto(`/admin/payouts?batch=${found}`)
  await expect(ana.getByText('PayPal may have paid this batch')).toBeVisible()
  await ana.getByRole('button', { name: 'Found at PayPal…' }).click()
  const dialog = ana.getByRole('dialog', { name: /^Found batch/ })
  await dialog.getByLabel('PayPal’s batch ID').fill('5UXD2E8A7EBQJ')
  await expectAccessible(ana)
  await dialog.getByRole('button', { name: 'Check with PayPal' }).click()
  await expect(dialog.getByRole('alert')).toContainText('Our PayPal account has no batch with this id')
  await dialog.getByLabel('PayPal’s batch ID').fill(emulator.batches[0]?.id ?? '')
  await dialog.getByRole('button', { name: 'Check with PayPal' }).click()
  await expectToast(ana, 'Batch Found')
  await expect(ana.getByText('Finished by PayPal')).toBeVisible({ timeout: 20_000 })

  const missing = await lostBatch('drop', { page, ana, ben, database, emulator })
  await ana.goto(`/admin/payouts?batch=${missing}`)
  await ana.getByRole('button', { name: 'Not at PayPal…' }).click()
  const report = ana.getByRole('dialog', { name: /not at PayPal/ })
  await report.getByLabel('Where you looked').fill('The activity of October and November')
  await report.getByRole('button', { name: 'Report as missing' }).click()
  await expect(ana.getByText('ana reported that PayPal does not have this batch')).toBeVisible()
  await expect(ana.getByText(/May confirm it: .*\bben\b/)).toBeVisible()
  await expect(ana.getByText(/May confirm it: .*\b(you|ana)\b/)).toHaveCount(0)
  await expectAccessible(ana)
  await ana.getByRole('button', { name: 'Confirm that it is missing' }).click()
  const own = ana.getByRole('dialog', { name: /^Abandon batch/ })
  await own.getByRole('button', { name: 'Confirm that it is missing' }).click()
  await expect(own.getByRole('alert')).toContainText('somebody else has to confirm it')

  await ben.goto(`/admin/payouts?batch=${missing}`)
  await expect(ben.getByText('“The activity of October and November”')).toBeVisible()
  await ben.getByRole('button', { name: 'Confirm that it is missing' }).click()
  const second = ben.getByRole('dialog', { name: /^Abandon batch/ })
  await second.getByRole('button', { name: 'Confirm that it is missing' }).click()
  await expectToast(ben, 'Batch Abandoned')
  await expect(ben.getByText('Two people confirmed that PayPal does not have it')).toBeVisible()
  await expectAccessible(ben)

  // PayPal has it after all.
  const senderId = missing
  const [late] = emulator.batches
  if (!late) throw new Error('PayPal has no batch')
  const { rows } = await database.query('select number from payouts where batch_id = $1', [senderId])
  const items = late.items.map((item) => ({
    ...item,
    payout_item: { ...item.payout_item, sender_item_id: `payout-${rows[0].number}` },
  }))
  emulator.batches.push({ ...late, id: 'LATE1', senderId, items })
  await ben.getByRole('button', { name: 'Found at PayPal…' }).click()
  await ben.getByLabel('PayPal’s batch ID').fill('late1')
  await ben.keyboard.press('Enter')
  await expect(ben.getByText('PayPal has paid this batch after all')).toBeVisible({ timeout: 20_000 })
  await ben.goto(`/admin/payouts?q=${seller.username}`)
  await ben
    .getByRole('link', { name: /Amazon PayPal/ })
    .first()
    .click()
  await expect(ben.getByText('May have been paid before: it cannot be in a batch')).toBeVisible()
  await expect(ben.getByText(/By PayPal in abandoned batch \d+, found/)).toBeVisible()
  await asStaff(staffPage)
  await staffPage.goto('/admin/system')
  await expect(staffPage.getByText('PayPal has paid an abandoned batch after all')).toBeVisible()
})

interface Scene {
  page: Page
  ana: Page
  ben: Page
  database: Pool
  emulator: PaypalEmulator
}

/** A batch of one payout, released 26 days ago, whose request was lost, or whose answer was. */
async function lostBatch(connection: 'drop' | 'lose', scene: Scene): Promise<string> {
  const { page, ana, ben, database, emulator } = scene
  const card = await submitCard(page, { paymentType: 'paypal', paymentAccountInfo: 'sally@example.com' })
  await move(ana, card, 'processing')
  const [payout] = await (await ana.request.get(`/api/admin/payouts?q=${card}`)).json()
  const batches = '/api/admin/payout-batches'
  const data = { paymentType: 'paypal', payoutIds: [payout.id] }
  const { id } = await (await ana.request.post(batches, { data })).json()
  emulator.fail('create', { connection })
  await ana.request.post(`${batches}/${id}/freeze`)
  await ben.request.post(`${batches}/${id}/release`)
  const now = async () => (await (await ana.request.get(`${batches}/${id}`)).json()).providerProblem
  await expect.poll(now, { timeout: 20_000 }).toBe('answer_lost')
  await database.query(
    `update payout_batches set released_at = released_at - interval '26 days', provider_next_at = now() where id = $1`,
    [id],
  )
  await expect.poll(now, { timeout: 20_000 }).toBe('too_old')
  return id
}
