import { expect, newSeller, signInStaff, test } from './fixtures.ts'
import { phonePhoto } from './photos.ts'

/** One card from quote to payment, with the seller on a phone and staff on a desktop, both live. */
test('a card is quoted, submitted with a photo, reviewed and paid', async ({ page, staffPage }) => {
  const seller = newSeller()
  await page.setViewportSize({ width: 360, height: 740 })

  await test.step('a visitor gets a quote', async () => {
    await page.goto('/get-quote')
    await page
      .getByRole('button', { name: /^Amazon/ })
      .first()
      .click()
    await page.getByLabel('Card value').fill('100')
    await expect(page.getByText('$93.00').first()).toBeVisible()
    await page.getByRole('button', { name: 'Sell This Card' }).click()
    await expect(page).toHaveURL(/\/login$/)
  })

  await test.step('registers and returns to the quote', async () => {
    await page.getByRole('main').getByRole('link', { name: 'Create Account' }).click()
    await page.getByLabel('First name').fill(seller.firstName)
    await page.getByLabel('Last name').fill(seller.lastName)
    await page.getByLabel('Username').fill(seller.username)
    await page.getByLabel('Email').fill(seller.email)
    await page.getByLabel('Password').fill(seller.password)
    await page.getByRole('button', { name: 'Create Account' }).click()
    await expect(page).toHaveURL(/\/sell-card\?brand=amazon/)
    await expect(page.getByText('$93.00').first()).toBeVisible()
  })

  await test.step('staff open the desk', async () => {
    await signInStaff(staffPage)
    await expect(staffPage.getByText(/live/i).first()).toBeVisible()
  })

  await test.step('submits the card with a photo from the phone, and staff see it arrive', async () => {
    await page.getByRole('button', { name: 'Continue to Submission' }).click()
    await page.getByLabel('Card number').fill('6006 4930 1234 5678')
    await page.getByLabel('PIN or redemption code').fill('9876')
    await page.getByLabel('Notes').fill('A birthday present')
    await page
      .locator('input[type=file][name=images]')
      .setInputFiles({ name: 'IMG_0042.jpg', mimeType: 'image/jpeg', buffer: await phonePhoto() })
    await page.getByLabel('Payment method').selectOption({ label: 'PayPal' })
    await page.getByLabel('Account holder name').fill('Sally Seller')
    await page.getByLabel('Account information').fill('sally@example.com')
    // Toasts are there for five seconds.
    await Promise.all([
      expect(page.getByText('Gift Card Submitted!').first()).toBeVisible(),
      expect(staffPage.getByText('New Submission').first()).toBeVisible(),
      page.getByRole('button', { name: 'Submit for Review' }).click(),
    ])
    await expect(page).toHaveURL(/\/confirmation\?transactionId=.+&giftCardId=.+/)
    await expect(page.getByText('Pending Review')).toBeVisible()
  })

  await test.step('staff see the photo and reveal the number', async () => {
    // Possible duplicates beside the submission are links too.
    const list = staffPage.getByRole('region', { name: 'Submissions', exact: true })
    await list.getByRole('link', { name: seller.username }).click()
    const desk = staffPage.getByRole('region', { name: 'Submission' })
    const photo = desk.getByRole('button', { name: 'Open photo 1' }).locator('img')
    await expect
      .poll(() => photo.evaluate((image: HTMLImageElement) => image.naturalWidth))
      .toBeGreaterThan(100)
    await expect(staffPage.getByText('•••• 5678').first()).toBeVisible()
    await expect(staffPage.getByText('6006 4930 1234 5678')).toHaveCount(0)
    await staffPage.getByRole('button', { name: /^Reveal/ }).click()
    await expect(staffPage.getByText('6006 4930 1234 5678').first()).toBeVisible()
  })

  await test.step('the seller sees the approval without a reload', async () => {
    await page.goto('/processing')
    const card = page.getByRole('region', { name: 'Amazon card' })
    await expect(card.getByText('Your card is being reviewed')).toBeVisible()
    await staffPage.getByRole('button', { name: /^Start Processing/ }).click()
    await expect(card.getByText('Approved. Your payout is waiting for your confirmation.')).toBeVisible()
  })

  await test.step('the seller sees the payment in Total Earned', async () => {
    await page.goto('/transactions')
    const earned = page.getByRole('definition').first()
    await expect(page.getByText('Total Earned')).toBeVisible()
    await expect(earned).toHaveText('$0.00')
    // The desk has moved on to the next card to review, if there is one.
    await staffPage.getByRole('link', { name: /^To pay/ }).click()
    await staffPage
      .getByRole('region', { name: 'Submissions', exact: true })
      .getByRole('link', { name: seller.username })
      .click()
    await staffPage.getByRole('button', { name: /^Mark Complete/ }).click()
    await staffPage.getByRole('dialog').getByRole('button', { name: 'Mark Complete' }).click()
    await expect(page.getByRole('list', { name: /Your transactions/ }).getByText('Completed')).toBeVisible()
    await expect(earned).toHaveText('$93.00')
  })
})
