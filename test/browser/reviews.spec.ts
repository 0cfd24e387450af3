import { readWords } from '#words/catalogs.ts'
import { expect, newSeller, test } from './fixtures.ts'
import { expectAccessibleInBothThemes, expectNoHorizontalScroll } from './looks.ts'
import { asStaff, expectToast, move, signedUp, submitCard } from './sellers.ts'

const { es } = readWords({ product: 'Unspent' })

test('sellers review their paid sales, a manager approves them, and visitors read three', async ({
  page,
  staffPage,
}) => {
  await asStaff(staffPage)
  const ask = page.getByRole('region', { name: 'How did it go?' })
  const said = page.getByRole('region', { name: 'What sellers say' })

  for (const [index, path] of ['/account', '/account/card?id=', '/confirmation?giftCardId='].entries()) {
    await signedUp(page, { ...newSeller(), firstName: `Maria${index}` })
    const id = await submitCard(page)
    await page.goto(path.endsWith('=') ? path + id : path)
    await expect(page.getByText('Amazon').first()).toBeVisible()
    await expect(ask).toHaveCount(0)
    await move(staffPage, id, 'completed')
    await page.reload()
    await expect(ask).toContainText('We paid for your Amazon card')
    await expect(ask.getByRole('button')).toHaveCount(0)
    await ask.getByRole('radio', { name: '1 star', exact: true }).focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect(ask.getByRole('radio', { name: '3 stars' })).toBeChecked()
    const text = ask.getByLabel('What would you tell other sellers?')
    await text.fill(`Paid at once for 6006 4912 3456 789${index}`)
    await ask.getByRole('button', { name: 'Send Review' }).click()
    await expect(ask).toContainText('Please do not send a card number')
    await expectAccessibleInBothThemes(page)
    await text.fill(`Paid at once, ${index}`)
    await ask.getByRole('button', { name: 'Send Review' }).click()
    await expectToast(page, 'Thank you for your review')
    await expect(ask).toHaveCount(0)
    await page.goto('about:blank')
    await page.request.post('/api/auth/logout')
  }

  const row = (text: string) => staffPage.getByRole('row').filter({ hasText: text })
  await staffPage.goto('/admin/reviews')
  await expect(staffPage.getByText('3 reviews')).toBeVisible()
  await expectAccessibleInBothThemes(staffPage)
  await staffPage.keyboard.press('a')
  await expect(row('Paid at once, 2')).toHaveCount(0)
  await staffPage.keyboard.press('j')
  await staffPage.keyboard.press('j')
  await staffPage.keyboard.press('a')
  await expect(row('Paid at once, 0')).toHaveCount(0)
  await page.goto('/')
  const below = page.getByRole('heading', { name: 'Paid the way you choose' })
  const asked = page.waitForResponse('**/api/reviews')
  await below.scrollIntoViewIfNeeded()
  await asked
  await expect(said).toHaveCount(0)
  await row('Paid at once, 1').getByRole('button', { name: 'Approve' }).click()
  await expectToast(staffPage, 'Review Approved')
  await expect(staffPage.getByText('No reviews are waiting')).toBeVisible()

  await page.reload()
  await below.scrollIntoViewIfNeeded()
  const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })
  await expect(said.getByRole('listitem')).toHaveCount(3)
  await expect(said.getByRole('listitem').first()).toContainText(`Maria2 · ${month.format()}`)
  await expect(said.getByRole('img', { name: '3 of 5 stars' })).toHaveCount(3)
  await page.setViewportSize({ width: 360, height: 740 })
  await expectNoHorizontalScroll(page)
  await page.goto('/es')
  await page.getByRole('heading', { name: es('landing.payouts.title') }).scrollIntoViewIfNeeded()
  await expect(page.getByRole('region', { name: es('landing.reviews.title') })).toContainText('Maria0')

  await staffPage.getByRole('combobox', { name: 'State' }).selectOption('Approved')
  await expect(row('Paid at once, 2')).toBeVisible()
  await staffPage.getByRole('combobox', { name: 'State' }).blur()
  await staffPage.keyboard.press('h')
  const dialog = staffPage.getByRole('dialog', { name: 'Hide this review?' })
  await expect(dialog).toContainText('Paid at once, 2')
  await staffPage.keyboard.press('Enter')
  await expect(row('Paid at once, 2')).toHaveCount(0)
  await page.reload()
  await expect(page.getByRole('heading', { name: es('landing.payouts.title') })).toBeVisible()
  await expect(page.getByText('Paid at once')).toHaveCount(0)
})
