import { ADMIN_PASSWORD } from '../people.ts'
import { cardsOf, expect, test } from './desk.ts'
import { expectAccessible } from './looks.ts'
import { asStaff, expectToast, move } from './sellers.ts'

test('a manager records the status of cards, exports their numbers, and keeps data on hold', async ({
  page,
  staffPage,
}) => {
  const { seller, ids } = await cardsOf(
    page,
    {},
    {},
    { brand: 'steam', sellingPrice: '88.00', discountPercentage: '12.00' },
  )
  await asStaff(staffPage)
  for (const id of ids) await move(staffPage, id, 'completed')
  await staffPage.goto(`/admin/inventory?q=${seller.username}`)
  const rows = staffPage.getByRole('row')
  const states = staffPage.getByRole('navigation', { name: 'States' })
  await expect(rows).toHaveCount(4)
  await expect(rows.last()).toContainText(/bought \w+ \d/)
  await expect(states.getByRole('button', { name: 'In stock' })).toContainText('$274.00')
  for (const width of [768, 1280, 1440]) {
    await staffPage.setViewportSize({ width, height: 800 })
    for (const state of await states.getByRole('button').all())
      await expect(state).toBeInViewport({ ratio: 1 })
  }
  await expectAccessible(staffPage)

  await staffPage.keyboard.press('*')
  await expect(staffPage.getByText('3 cards selected')).toBeVisible()
  await staffPage.getByLabel(/^Select Steam/).uncheck()
  await staffPage.keyboard.press('s')
  const dialog = staffPage.getByRole('dialog')
  await dialog.getByLabel('Channel').fill('Raise')
  await dialog.getByRole('button', { name: 'Sold' }).click()
  await expect(dialog.getByLabel('Proceeds of each card')).toHaveAccessibleDescription(/what the buyer paid/)
  await dialog.getByLabel('Proceeds of each card').fill('95')
  await expectAccessible(staffPage)
  await dialog.getByRole('button', { name: 'Sold' }).click()
  await expectToast(staffPage, 'Inventory Changed', '2 cards sold')
  await expect(rows.filter({ hasText: 'Sold' })).toHaveCount(2)

  await staffPage.getByRole('button', { name: /^Details of Steam/ }).click()
  await dialog.getByRole('button', { name: 'Bad' }).click()
  await expect(dialog).toContainText('The seller owes us $88.00')
  await dialog.getByRole('button', { name: 'Mark as bad' }).click()
  await expectToast(staffPage, 'Inventory Changed', '1 card marked as bad')
  await staffPage.getByRole('button', { name: /^Details of Steam/ }).click()
  // The server takes a missing amount for all of it.
  await dialog.getByLabel('Write off').fill('')
  await dialog.getByRole('button', { name: 'Write off' }).click()
  await expect(dialog.getByLabel('Write off')).toHaveAccessibleDescription(/Please enter a valid amount/)
  await dialog.getByLabel('Write off').fill('8')
  await dialog.getByRole('button', { name: 'Write off' }).click()
  await expectToast(staffPage, 'Written Off', '$8.00')
  await dialog.getByRole('button', { name: 'Close' }).click()

  const csv = `id,state\n${ids[2]},in_stock\n${ids[0]},listed`
  await staffPage.getByRole('button', { name: 'Import CSV' }).click()
  const file = { name: 'stock.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) }
  await dialog.getByLabel('CSV file').setInputFiles(file)
  await dialog.getByRole('button', { name: 'Import' }).click()
  await expect(dialog).toContainText('1 card changed')
  await expect(dialog).toContainText('Line 3: Not allowed: the card is sold now')
  await dialog.getByRole('button', { name: 'Done' }).click()

  await staffPage.getByLabel(/^Select Steam/).check()
  await staffPage.getByRole('button', { name: 'Export numbers' }).click()
  await dialog.getByLabel('Your password').fill('wrong')
  await dialog.getByRole('button', { name: 'Export numbers' }).click()
  await expect(dialog.getByLabel('Your password')).toHaveAccessibleDescription(/incorrect/)
  await dialog.getByLabel('Your password').fill(ADMIN_PASSWORD)
  const download = staffPage.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export numbers' }).click()
  const name = (await download).suggestedFilename()
  expect(name).toMatch(/^codes-.*\.csv$/)
  await expect(dialog).toBeHidden()

  await staffPage.getByRole('button', { name: 'Export numbers' }).click()
  await dialog.getByRole('region', { name: 'Your earlier files' }).getByRole('button').click()
  await expect(dialog.getByRole('heading', { level: 2 })).toHaveText('Download the numbers of 1 card again')
  await dialog.getByLabel('Your password').fill(ADMIN_PASSWORD)
  const again = staffPage.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download again' }).click()
  expect((await again).suggestedFilename()).toBe(name)

  await staffPage.goto(`/admin?id=${ids[2]}`)
  const hold = staffPage.getByRole('region', { name: 'Legal hold' })
  await hold.getByRole('button', { name: 'Place legal hold' }).click()
  await dialog.getByLabel('Reason').fill('The buyer disputes it')
  await dialog.getByRole('button', { name: 'Place legal hold' }).click()
  await expectToast(staffPage, 'Legal Hold Placed')
  await expect(hold).toContainText('The buyer disputes it')
  await expect(staffPage.getByText('Legal hold: not paid, not erased')).toHaveCount(2)
  await hold.getByRole('button', { name: 'Lift legal hold' }).click()
  await expectToast(staffPage, 'Legal Hold Lifted')
  await expect(hold).toContainText('None: data is erased as usual.')
})
