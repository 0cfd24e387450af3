import { newNumber } from '../submissions.ts'
import { cardsOf, expect, openSubmission, test } from './desk.ts'
import { expectAccessible } from './looks.ts'
import { expectToast, move, pressAnyway, submitCard } from './sellers.ts'

test('blocks a card that was bought before until the risk is acknowledged', async ({ page, ana }) => {
  const cardNumber = newNumber()
  const { id: first, view } = await cardsOf(page, { cardNumber })
  await move(ana, first, 'completed')
  const id = await submitCard(page, { cardNumber })
  await ana.route(`**/api/admin/submissions/${id}`, async (route) => {
    const response = await route.fetch()
    const left = {
      policyId: id,
      version: 2,
      name: 'Small',
      outcome: 'person',
      reason: 'no_risk',
      at: new Date(),
    }
    await route.fulfill({ response, json: { ...(await response.json()), policyDecisions: [left] } })
  })
  await ana.goto(`${view}&id=${id}`)
  await expect(openSubmission(ana)).toContainText(
    'Left to you by “Small” v2: a risk (We bought a card with this number less than a day ago; ',
  )
  const risk = ana.getByRole('region', { name: 'Blocking risk' })
  const link = risk.getByRole('link', { name: 'We bought a card with this number less than a day ago' })
  await expect(link).toHaveAttribute('href', new RegExp(`id=${first}`))
  const approve = openSubmission(ana).getByRole('button', { name: 'Approve & Complete' })
  await expect(approve).toHaveAttribute('aria-disabled', 'true')
  await ana.keyboard.press('a')
  // The bar says it already, so there is no toast.
  await expect(risk).toBeFocused()
  await expect(risk).toHaveAccessibleDescription(/We bought a card .* until this is acknowledged/)
  await expect(ana.getByRole('region', { name: /Notifications/ }).getByRole('listitem')).toHaveCount(0)
  await expectAccessible(ana)

  await ana.keyboard.press('x')
  const reason = risk.getByLabel('Why can it be approved anyway?')
  await expect(reason).toBeFocused()
  await reason.fill('Reload')
  await pressAnyway(risk.getByRole('button', { name: 'Acknowledge Risk' }))
  await expect(reason).toHaveAccessibleDescription(/At least 10 characters/)
  await reason.fill('The receipt shows that 6006 4930 1234 5678 was loaded again')
  await risk.getByRole('button', { name: 'Acknowledge Risk' }).click()
  await expect(risk).toContainText('ana acknowledged it')
  await expect(approve).not.toHaveAttribute('aria-disabled')
  await approve.click()
  await ana.getByRole('dialog').getByRole('button', { name: 'Approve & Complete' }).click()
  await expectToast(ana, 'Status Updated')

  await ana.goto(`/admin/audit?subject=${id}`)
  const entry = ana.getByRole('row', { name: /Risk acknowledged/ })
  await expect(entry).toContainText('The receipt shows that •••• was loaded again')
  await expect(entry).toContainText('same number completed')
})

test('records the balance of a card with a photo, and suggests an offer for a lower one', async ({
  page,
  ana,
}) => {
  const place = { balanceUrl: 'https://example.com/balance', balancePhone: '+1 (212) 555-0100' }
  await ana.request.patch('/api/admin/brands/belk', { data: place })
  const { view } = await cardsOf(page, { brand: 'belk', sellingPrice: '81.00', discountPercentage: '19.00' })
  await ana.goto(view)
  await expect(ana.getByText('Not checked yet')).toBeVisible()
  await ana.keyboard.press('b')
  const dialog = ana.getByRole('dialog', { name: 'Check balance' })
  await expect(dialog.getByRole('link', { name: 'Open balance page' })).toHaveAttribute(
    'href',
    place.balanceUrl,
  )
  await expect(dialog.getByRole('link', { name: place.balancePhone })).toHaveAttribute(
    'href',
    'tel:+12125550100',
  )
  await expect(dialog.getByLabel('Found by')).toHaveValue('website')
  await dialog.getByRole('button', { name: 'Record Balance' }).click()
  await expect(dialog.getByLabel('Balance')).toHaveAccessibleDescription(
    'Please enter the balance in dollars',
  )
  await dialog.getByLabel('Balance').fill('80')
  await dialog.getByLabel('Note').fill('Spent in May')
  const png = { name: 'balance.txt', mimeType: 'image/png', buffer: Buffer.from('no picture') }
  await dialog.getByLabel('Photo').setInputFiles(png)
  await dialog.getByRole('button', { name: 'Record Balance' }).click()
  await expectToast(ana, 'Balance Not Recorded')
  await dialog.getByLabel('Photo').setInputFiles([])
  await dialog.getByRole('button', { name: 'Record Balance' }).click()
  await expectToast(ana, 'Balance Recorded', 'The card has $80.00.')
  // The note is in its field until the dialog has closed.
  await expect(dialog).toHaveCount(0)
  await expect(ana.getByText('Below face value')).toBeVisible()
  await expect(ana.getByText('Spent in May')).toBeVisible()
  await expect(ana.getByRole('button', { name: 'Offer $64.80' })).toBeVisible()

  const risk = ana.getByRole('region', { name: 'Blocking risk' })
  await expect(risk).toContainText('We found $80.00 on this card, $20.00 less than its face value')
  await ana.keyboard.press('s')
  await expect(risk).toBeFocused()
  await risk.getByRole('button', { name: 'Offer $64.80' }).click()
  await expect(ana.getByRole('dialog', { name: 'Make Offer' }).getByLabel('New price')).toHaveValue('64.80')
  await ana.keyboard.press('Escape')
  await expect(ana.getByRole('dialog')).toHaveCount(0)
  await ana.keyboard.press('x')
  await risk.getByLabel('Why can it be approved anyway?').fill('The seller showed the receipt')
  await risk.getByRole('button', { name: 'Acknowledge Risk' }).click()
  await expect(risk).toContainText('ana acknowledged it')
  await openSubmission(ana).getByRole('button', { name: 'Approve & Complete' }).click()
  const approval = ana.getByRole('dialog', { name: 'Approve & Complete' })
  await expect(approval).toContainText('We found $80.00 on this card')
  await expect(approval).toContainText('Balance $80.00, checked')
})

test('of two blocking risks, the key opens the first and is shown there only', async ({ page, ana }) => {
  const cardNumber = newNumber()
  const { id: first, view } = await cardsOf(page, { cardNumber })
  await move(ana, first, 'completed')
  const id = await submitCard(page, { cardNumber })
  const check = await ana.request.post(`/api/admin/submissions/${id}/balance-checks`, {
    data: { amount: '10.00', source: 'phone' },
  })
  expect(check.ok()).toBe(true)
  await ana.goto(`${view}&id=${id}`)
  const risks = ana.getByRole('region', { name: 'Blocking risk' })
  await expect(risks).toHaveCount(2)
  const buttons = risks.getByRole('button', { name: 'Acknowledge', exact: true })
  await expect(buttons.first()).toHaveAttribute('aria-keyshortcuts', 'x')
  await expect(buttons.last()).not.toHaveAttribute('aria-keyshortcuts')
  await ana.keyboard.press('x')
  await expect(risks.first().getByLabel('Why can it be approved anyway?')).toBeFocused()
  await expect(risks.last().getByLabel('Why can it be approved anyway?')).toHaveCount(0)
})
