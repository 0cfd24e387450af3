import { expect, test } from './fixtures.ts'

test.beforeEach(({ page }) => page.goto('/get-quote').then(() => undefined))

test('search ignores case, and shows the category and rate of each brand', async ({ page }) => {
  const list = page.getByRole('region', { name: 'All Brands' })
  await page.getByLabel('Search brands').fill('STARB')
  await expect(list.getByRole('listitem')).toHaveText([/Starbucks.*Food & Drink.*89%/])
  await page.getByLabel('Search brands').fill('amzon')
  await expect(list.getByRole('listitem')).toHaveText([/Amazon/])
})

test('a brand that is not listed gets a quote under its own name', async ({ page }) => {
  await page.getByLabel('Search brands').fill('no such brand')
  await expect(
    page.getByText('We found no brand named “no such brand”. Please check the spelling.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Get a Quote for No Such Brand' }).click()
  await expect(page.getByLabel('Card value')).toBeFocused()
  await page.keyboard.type('100')
  await expect(page.getByRole('status').getByText('$85.00')).toBeVisible()
  await page.getByRole('button', { name: 'Sell This Card' }).click()
  await expect(page).toHaveURL(/\/login$/)
  const kept = await page.evaluate(() => sessionStorage.getItem('redirectAfterLogin'))
  expect(kept).toBe('/sell-card?brand=no_such_brand&value=100.00&quote=85.00')
})

test('a reload and Back keep the brand and the value', async ({ page }) => {
  await page.getByRole('button', { name: /^Netflix/ }).click()
  await expect(page.getByLabel('Card value')).toBeFocused()
  await page.keyboard.type('100')
  const quoted = page.getByRole('status').getByText('$87.00')
  await expect(quoted).toBeVisible()
  await page.reload()
  await expect(page.getByLabel('Card value')).toHaveValue('100')
  await expect(quoted).toBeVisible()
  await page.getByRole('button', { name: 'Sell This Card' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await page.goBack()
  await expect(quoted).toBeVisible()
})

for (const [width, height] of [
  [360, 740],
  [1280, 800],
] as const) {
  test(`a chosen brand folds the list, takes the amount and shows the button at ${width}x${height}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height })
    const all = page.getByRole('region', { name: 'All Brands' })
    if (width === 360) await page.getByRole('button', { name: 'Show All Brands' }).click()
    await all.getByRole('button', { name: /^Netflix/ }).click()
    await expect(all).toHaveCount(0)
    await expect(page.getByLabel('Card value')).toBeFocused()
    await page.keyboard.type('10')
    await expect(page.getByLabel('Card value')).toHaveValue('10')
    await page.keyboard.type('0')
    await expect(page.getByRole('status').getByText('$87.00')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Sell This Card' })).toBeInViewport({ ratio: 1 })
    await expect(page.getByText(/^We hold this quote until \d+(:\d\d)? [AP]M\.$/)).toBeVisible()
    await page.getByRole('button', { name: 'Show All Brands' }).click()
    await expect(all.getByRole('listitem').first()).toBeVisible()
  })
}

test('a phone begins with the brands, and shows the amount once one is chosen', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await page.reload()
  const [search, value] = [page.getByLabel('Search brands'), page.getByLabel('Card value')]
  const popular = page.getByRole('region', { name: 'Popular Brands' }).getByRole('button')
  for (const part of [search, popular.first(), popular.last()])
    await expect(part).toBeInViewport({ ratio: 1 })
  await expect(value).toBeHidden()
  await expect(page.getByRole('button', { name: 'Sell This Card' })).toBeHidden()
  await search.focus()
  await page.keyboard.press('Tab')
  await expect(popular.first()).toBeFocused()
  await popular.first().click()
  await expect(value).toBeFocused()
  await expect(value).toBeInViewport({ ratio: 1 })
  await search.fill('steam')
  await expect(value).toBeHidden()
  await expect(page.getByRole('region', { name: 'All Brands' }).getByRole('listitem')).toHaveCount(1)
  await search.press('Enter')
  await expect(value).toBeFocused()
  await expect(page.getByText('Pays 88%')).toBeVisible()
})

test('all brands are listed by letter, without a box that scrolls, and on phones after a tap', async ({
  page,
}) => {
  const all = page.getByRole('region', { name: 'All Brands' })
  const open = page.getByRole('button', { name: 'Show All Brands' })
  await expect(all.getByRole('heading', { name: 'N', exact: true })).toBeVisible()
  await expect(open).toBeHidden()
  await page.setViewportSize({ width: 360, height: 740 })
  await expect(all).toBeHidden()
  await open.click()
  await expect(all.getByRole('listitem').first()).toHaveText(/^AD?.*Adidas.*\$25 to/)
  const boxes = await all.evaluate((list) =>
    [list, ...list.querySelectorAll('*')].filter((box) =>
      /auto|scroll/.test(getComputedStyle(box).overflowY),
    ),
  )
  expect(boxes).toEqual([])
})

test('a search for another brand hides the error about the amount', async ({ page }) => {
  await page.goto('/get-quote?brand=amazon')
  await page.getByLabel('Card value').fill('7')
  await page.getByLabel('Card value').blur()
  const tooSmall = page.getByText('Minimum amount for Amazon is $25')
  await expect(tooSmall).toBeVisible()
  await page.getByLabel('Search brands').fill('starbuks')
  await expect(tooSmall).toHaveCount(0)
})

test('Enter goes to what is missing, chooses the only brand found, and sells the card', async ({ page }) => {
  const [search, value] = [page.getByLabel('Search brands'), page.getByLabel('Card value')]
  const sell = page.getByRole('button', { name: 'Sell This Card' })
  await expect(sell).toContainText('Choose a brand first')
  await value.press('Enter')
  await expect(search).toBeFocused()
  await search.pressSequentially('netfl')
  await expect(page.getByRole('region', { name: 'All Brands' }).getByRole('listitem')).toHaveCount(1)
  await search.press('Enter')
  await expect(value).toBeFocused()
  await expect(sell).toContainText('Enter the card value first')
  await value.press('Enter')
  await expect(value).toBeFocused()
  await value.pressSequentially('100')
  await value.press('Enter')
  await expect(page).toHaveURL(/\/login$/)
})

test('an amount that may still grow is not an error until the seller pauses or leaves the field', async ({
  page,
}) => {
  await page.clock.install()
  await page.goto('/get-quote?brand=amazon')
  const tooSmall = page.getByText('Minimum amount for Amazon is $25')
  const value = page.getByLabel('Card value')
  await expect(page.getByRole('button', { name: 'Sell This Card' })).toContainText(
    'Enter the card value first',
  )
  // On a busy machine the seller would pause between two steps of this test.
  await page.clock.pauseAt(Date.now() + 60_000)
  await value.pressSequentially('10')
  await expect(page.getByRole('button', { name: 'Sell This Card' })).toBeDisabled()
  await expect(tooSmall).toHaveCount(0)
  await page.clock.runFor(700)
  await expect(tooSmall).toBeVisible()
  await value.pressSequentially('0')
  await expect(tooSmall).toHaveCount(0)
  await value.fill('7')
  await expect(tooSmall).toHaveCount(0)
  await value.blur()
  await expect(tooSmall).toBeVisible()
})

test('a decimal comma is not dropped', async ({ page }) => {
  await page.goto('/get-quote?brand=amazon')
  const quote = page.getByRole('region', { name: 'Your quote' })
  const value = page.getByLabel('Card value')
  await value.pressSequentially('100,50')
  await expect(quote.getByText('$93.47')).toBeVisible()
  await value.fill('1,250')
  await expect(quote.getByText('$1,162.50')).toBeVisible()
  await value.fill('1.250,50')
  await expect(quote.getByText('$1,162.97')).toBeVisible()
  await value.fill('1.250,500')
  await expect(quote.getByText('Please enter a valid amount')).toBeVisible()
  await expect(quote.getByText('For example 1,234.50. From $25 to $2,000.')).toBeVisible()
  await value.fill('100,50')
  await value.press('Enter')
  await expect(page.getByText('Amazon, $100.50')).toBeVisible()
  await page.goto('/')
  await page.getByLabel('Card value').fill('100,50')
  // Until then, the link sells the card of the example.
  await expect(page.getByRole('main').getByText('$93.47')).toBeVisible()
  await page.getByRole('link', { name: 'Sell This Card' }).click()
  await expect(page.getByText('Amazon, $100.50')).toBeVisible()
})

test('only popular brands are in the grid', async ({ page }) => {
  const grid = page.getByRole('region', { name: 'Popular Brands' })
  await expect(grid.getByRole('button', { name: /^Amazon/ })).toBeVisible()
  await expect(grid.getByRole('button', { name: /^Netflix/ })).toHaveCount(0)
  expect(await grid.getByRole('listitem').count()).toBeGreaterThanOrEqual(8)
})

test('Sell This Card needs a brand and a value within its limits', async ({ page }) => {
  const sell = page.getByRole('button', { name: 'Sell This Card' })
  const value = page.getByLabel('Card value')
  await expect(sell).toBeDisabled()
  // Its press shows what is missing.
  await sell.click({ force: true })
  await expect(page.getByLabel('Search brands')).toBeFocused()
  const brandMissing = page.getByText('Please select a valid brand')
  await expect(brandMissing).toBeVisible()
  await page.getByLabel('Search brands').fill('a')
  await expect(brandMissing).toHaveCount(0)
  await page.getByLabel('Search brands').fill('')
  await value.fill('100')
  await expect(value).not.toHaveAttribute('aria-invalid')
  await expect(brandMissing).toHaveCount(0)
  await expect(sell).toBeDisabled()
  await sell.click({ force: true })
  await expect(page.getByLabel('Search brands')).toHaveAttribute('aria-invalid', 'true')
  await expect(brandMissing).toBeVisible()
  await page
    .getByRole('region', { name: 'Popular Brands' })
    .getByRole('button', { name: /^Amazon/ })
    .click()
  await expect(page.getByRole('status').getByText('$93.00')).toBeVisible()
  await expect(sell).toBeEnabled()
  await expect(brandMissing).toHaveCount(0)
  await page.setViewportSize({ width: 1280, height: 800 })
  await expect(sell).toBeInViewport({ ratio: 1 })
  await value.fill('24.99')
  await expect(page.getByText('Minimum amount for Amazon is $25')).toBeVisible()
  await expect(sell).toBeDisabled()
  await value.fill('2000.01')
  await expect(page.getByText('Maximum amount for Amazon is $2000')).toBeVisible()
  await value.fill('0')
  await expect(page.getByText('Minimum amount for Amazon is $25')).toBeVisible()
  await value.fill('')
  await expect(sell).toBeDisabled()
  await value.blur()
  await sell.click({ force: true })
  await expect(value).toBeFocused()
  await value.pressSequentially('e')
  await expect(page.getByText('Please enter a valid amount')).toBeVisible()
})

test('the brand in the address is selected, or reported as invalid', async ({ page }) => {
  await page.goto('/get-quote?brand=target')
  const calculator = page.getByRole('region', { name: 'Your quote' })
  await expect(calculator.getByText('Pays 91% · $50 to $2,000')).toBeVisible()
  await page.goto('/get-quote?brand=no_such_brand')
  await expect(calculator.getByText('Invalid brand selected')).toBeVisible()
  await page.getByLabel('Card value').fill('100')
  await expect(page.getByRole('button', { name: 'Sell This Card' })).toBeDisabled()
  await page
    .getByRole('button', { name: /^Target/ })
    .first()
    .click()
  await expect(calculator.getByText('Invalid brand selected')).toHaveCount(0)
  await expect(calculator.getByText('$91.00')).toBeVisible()
})

test('common amounts are within the limits of the brand', async ({ page }) => {
  const quote = page.getByRole('region', { name: 'Your quote' })
  const amounts = quote.getByRole('group', { name: 'Common card values' }).getByRole('button')
  await expect(amounts).toHaveCount(0)
  for (const [brand, most] of [
    ['Starbucks', 2000],
    ['OneVanilla', 500],
  ] as const) {
    await page.getByLabel('Search brands').fill(brand)
    await page.getByRole('region', { name: 'All Brands' }).getByRole('button', { name: brand }).click()
    await expect(quote.getByText(brand)).toBeVisible()
    await expect(amounts).not.toHaveCount(0)
    const offered = (await amounts.allTextContents()).map((text) => Number(text.replace('$', '')))
    expect(Math.min(...offered)).toBeGreaterThanOrEqual(100)
    expect(Math.max(...offered)).toBeLessThanOrEqual(most)
    await amounts.first().click()
    await expect(page.getByLabel('Card value')).toHaveValue('100')
    await expect(amounts.first()).toHaveAttribute('aria-pressed', 'true')
  }
})

test('the calculator stays visible beside a long list and passes the quote on', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page
    .getByRole('button', { name: /^Amazon/ })
    .first()
    .click()
  await page.getByLabel('Card value').fill('100')
  await page.getByRole('button', { name: 'Show All Brands' }).click()
  await page.getByRole('region', { name: 'All Brands' }).getByRole('listitem').last().scrollIntoViewIfNeeded()
  await page.mouse.move(20, 500)
  await page.mouse.wheel(0, 300)
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(150)
  await expect(page.getByRole('status').getByText('$93.00')).toBeInViewport()
  await page.getByRole('button', { name: 'Sell This Card' }).click()
  await expect(page).toHaveURL(/\/login$/)
  const kept = await page.evaluate(() => sessionStorage.getItem('redirectAfterLogin'))
  expect(kept).toBe('/sell-card?brand=amazon&value=100.00&quote=93.00')
})

test('the quote is rounded half up, to the cent', async ({ page }) => {
  await page.getByLabel('Search brands').fill('jcpenney')
  await page.getByRole('button', { name: /^JCPenney/ }).click()
  await expect(page.getByLabel('Card value')).toHaveAttribute('step', '0.01')
  await page.getByLabel('Card value').fill('25.25')
  await expect(page.getByRole('status').getByText('$20.71')).toBeVisible()
})

test('has links to help and home', async ({ page }) => {
  const help = page.getByRole('region', { name: 'Need Help?' })
  await expect(help.getByRole('link', { name: 'Contact Us' })).toHaveAttribute('href', '/contact')
  await expect(help.getByRole('link', { name: 'FAQ' })).toHaveAttribute('href', '/faq')
  await expect(page.getByRole('link', { name: 'Back to Home' })).toHaveAttribute('href', '/')
})

test('/quote is the same screen', async ({ page }) => {
  await page.goto('/quote')
  await expect(page.getByRole('heading', { level: 1, name: 'Instant Quote Calculator' })).toBeVisible()
})
