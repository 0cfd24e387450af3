import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { readWords } from '#words/catalogs.ts'
import { newNumber } from '../submissions.ts'
import { seriousFaults } from './axe.ts'
import { expect, type NewSeller, newSeller, test } from './fixtures.ts'
import { expectTextFits } from './looks.ts'
import { asStaff, expectToast, mailedLink, move, submitCard } from './sellers.ts'
import { files, picker } from './selling.ts'

const { es } = readWords({ product: 'Unspent' })

test.use({ viewport: { width: 360, height: 740 } })

test('a seller does everything in Spanish, from the first visit to a forgotten password', async ({
  page,
  staffPage,
  dataDir,
}) => {
  const seller = newSeller()
  const main = page.getByRole('main')
  const dialog = page.getByRole('dialog')
  const press = (name: string, inside = main) => inside.getByRole('button', { name, exact: true }).click()
  await asStaff(staffPage)

  await test.step('a visitor switches to Spanish', async () => {
    await page.goto('/')
    await page.getByRole('contentinfo').getByRole('link', { name: 'Español' }).click()
    await expect(page).toHaveURL(/\/es$/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(es('landing.headline'))
    await expect(page.locator('html')).toHaveAttribute('lang', 'es')
  })

  await test.step('gets a quote', async () => {
    await main
      .getByRole('link', { name: es('landing.getQuote'), exact: true })
      .first()
      .click()
    await expect(page).toHaveURL(/\/es\/get-quote$/)
    // The landing page has a button for Amazon too.
    await expect(main.getByRole('heading', { level: 1, name: es('quote.title') })).toBeVisible()
    await main
      .getByRole('button', { name: /^Amazon/ })
      .first()
      .click()
    const value = main.getByLabel(es('cards.value'))
    await value.fill('20')
    await expect(main.getByText('El monto mínimo para Amazon es de $25')).toBeVisible()
    await value.fill('1500')
    await expect(main.getByText('$1,395.00').first()).toBeVisible()
    await value.fill('100')
    await expect(main.getByText('$93.00').first()).toBeVisible()
    await press(es('quote.calculator.sell'))
    await expect(page).toHaveURL(/\/es\/login$/)
  })

  await test.step('registers, after an error', async () => {
    await main.getByRole('link', { name: es('signIn.register.submit') }).click()
    await press(es('signIn.register.submit'))
    await expect(main.getByText(es('fields.first_name_required'))).toBeVisible()
    await expect(main.getByText(es('fields.email_invalid'))).toBeVisible()
    await register(page, seller)
    await expectToast(page, '¡Le damos la bienvenida a Unspent!')
    await expect(page).toHaveURL(/\/es\/sell-card\?brand=amazon/)
  })

  await test.step('submits the card with a photo', async () => {
    await press(es('sellCard.continue'))
    await main.getByRole('textbox', { name: es('sellCard.cardNumber') }).fill(newNumber())
    await expect(main.getByRole('button', { name: es('sellCard.submit.addPhoto') })).toBeVisible()
    await picker(page).setInputFiles(await files(1))
    await main.getByLabel(es('payoutMethod.label')).selectOption('PayPal')
    await main.getByLabel(es('accountFields.holder')).fill('Sally Seller')
    await main.getByLabel(es('accountFields.info')).fill('sally@example.com')
    await press(es('sellCard.submit'))
    await expectToast(page, es('sellCard.submitted', { count: 1 }))
    await expect(page).toHaveURL(/\/es\/confirmation\?transactionId=.+&giftCardId=.+/)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(es('confirmation.title'))
    await expect(main.getByText(es('statuses.label.pending'), { exact: true })).toBeVisible()
    await expect(main.getByText('$93.00')).toBeVisible()
  })
  const address = new URL(page.url()).searchParams
  const [card, sale] = [address.get('giftCardId') ?? '', address.get('transactionId') ?? '']

  await test.step('answers a question', async () => {
    await move(staffPage, card, 'under_review', '¿Dónde compró la tarjeta?')
    await page.goto('/es/processing')
    const shown = page.getByRole('region', { name: es('cards.ofBrand', { brand: 'Amazon' }) })
    await expect(shown).toContainText('¿Dónde compró la tarjeta?')
    await expect(shown.getByText(inSpanish(new Date()))).toBeVisible()
    await press(es('processing.answer'), shown)
    await dialog.getByLabel(es('processing.answer.label')).fill('En una tienda')
    await press(es('processing.answer.send'), dialog)
    await expectToast(page, es('processing.answer.sent'))
    await expect(shown).toContainText(es('statuses.text.pending'))
    await press(es('processing.history'), shown)
    await expect(shown.getByRole('listitem').last()).toContainText('En una tienda')
  })

  await test.step('reads why a card is rejected, on the screen and in the email', async () => {
    const second = await submitCard(page, {
      brand: 'target',
      sellingPrice: '91.00',
      discountPercentage: '9.00',
    })
    await move(staffPage, second, 'rejected', 'image_blurry')
    const rejected = main.getByRole('region', { name: es('processing.rejected', { count: 1 }) })
    await expect(rejected).toContainText(es('reasons.text.image_blurry'))
    await expect(rejected).toContainText(es('statuses.label.rejected'))
    await expect.poll(() => mailsTo(dataDir, seller.email)).toContain(es('reasons.text.image_blurry'))
    const mails = await mailsTo(dataDir, seller.email)
    expect(mails).toContain('Estado: Rechazada')
    expect(mails).toContain('/es/account/card?id=')
  })

  await test.step('is paid, sees it among the sales, and reviews it', async () => {
    await move(staffPage, card, 'completed')
    await page.goto('/es/transactions')
    const sum = (name: string) => page.getByText(name, { exact: true }).locator('xpath=following-sibling::dd')
    await expect(sum(es('transactions.totalEarned'))).toHaveText('$93.00')
    await expect(sum(es('transactions.total'))).toHaveText('2')
    const sales = page.getByRole('list', { name: es('transactions.list') }).getByRole('listitem')
    await expect(sales.filter({ hasText: 'Amazon' })).toContainText(es('statuses.label.completed'))
    await expect(sales.filter({ hasText: 'Target' })).toContainText(es('seller.notPaid'))
    await expect(sales.first()).toContainText(inSpanish(new Date()))
    const review = { transactionId: sale, rating: 5, comment: 'Todo muy rápido' }
    expect((await page.request.post('/api/reviews', { data: review })).status()).toBe(201)
    const again = await page.request.post('/api/reviews', { data: review })
    expect((await again.json()).message).toBe(es('refusals.reviewed_before'))
  })

  await test.step('saves a payment method', async () => {
    await page
      .getByRole('navigation', { name: es('seller.nav.label') })
      .getByRole('link', { name: es('seller.nav.profile') })
      .click()
    await expect(main.getByLabel(es('profile.personal.email'))).toHaveValue(seller.email)
    await press(es('profile.methods.add'))
    await dialog.getByLabel(es('paymentMethod.type')).selectOption(es('payments.type.bank_transfer'))
    await dialog.getByLabel(es('accountFields.holder')).fill('Sally Seller')
    await dialog.getByLabel(es('accountFields.routingNumber')).fill('021000021')
    await dialog.getByLabel(es('accountFields.accountNumber')).fill('123')
    await press(es('profile.methods.add'), dialog)
    await expect(dialog.getByText(es('fields.account_number_invalid'))).toBeVisible()
    await dialog.getByLabel(es('accountFields.accountNumber')).fill('000123456789')
    await press(es('profile.methods.add'), dialog)
    await expect(main.getByText('ruta •••• 0021, cuenta •••• 6789')).toBeVisible()
  })

  await test.step('chats with the support team', async () => {
    await page.getByRole('button', { name: es('site.supportChat') }).click()
    const message = dialog.getByLabel(es('chat.message'))
    await message.fill('¿Cuándo me llega el pago?')
    await message.press('Enter')
    await expect(dialog.getByText(es('support.received'))).toBeVisible()
    const { id } = (await (await page.request.get('/api/auth/me')).json()).user
    await staffPage.request.post('/api/admin/chat/reply', { data: { userId: id, message: 'Mañana.' } })
    await expect(dialog.getByText('Mañana.')).toBeVisible()
    await expect(dialog.getByText(es('support.agent'))).toBeVisible()
    await press(es('site.dialog.close'), dialog)
  })

  await test.step('finds help and other ways to reach a person', async () => {
    await page.goto('/es/help')
    await page.getByLabel(es('help.search.label')).fill('cuánto tarda')
    await expect(page.getByText(/^\d+ resultados$/)).toBeVisible()
    await page.getByLabel(es('help.search.label')).fill('olvidó')
    await expect(page.getByText('1 resultado', { exact: true })).toBeVisible()
    await page.goto('/es/contact')
    await expect(main.getByLabel(es('contact.form.firstName'))).toHaveValue(seller.firstName)
    await main.getByLabel(es('contact.form.subject')).fill('Una pregunta')
    await main
      .getByLabel(es('contact.form.message'), { exact: true })
      .fill('¿Compran tarjetas de otros países?')
    await press(es('contact.form.send'))
    await expect(page).toHaveURL(/\/es\/contact\/chat\?session=/)
    await expect(page.getByText('¿Compran tarjetas de otros países?')).toBeVisible()
  })

  await test.step('signs out and sets a new password by email', async () => {
    await page.getByRole('button', { name: es('site.nav.account') }).click()
    await page.getByRole('menuitem', { name: es('site.nav.signOut') }).click()
    await expect(page).toHaveURL(/\/es$/)
    await page.goto('/es/login')
    await main.getByRole('link', { name: es('signIn.login.forgot') }).click()
    // Both screens have a field for the email, and the address changes before the screen.
    await expect(main.getByRole('heading', { level: 1, name: es('signIn.forgot.title') })).toBeVisible()
    await main.getByLabel(es('signIn.email')).fill(seller.email)
    await press(es('signIn.forgot.send'))
    await page.goto(await mailedLink(dataDir, seller.email, '/es/reset-password'))
    await main.getByLabel(es('signIn.reset.new'), { exact: true }).fill('recordada esta vez')
    await main.getByLabel(es('signIn.reset.repeated')).fill('recordada esta vez')
    await press(es('signIn.reset.submit'))
    await expectToast(page, es('signIn.reset.done'))
    await expect(page).toHaveURL(/\/es\/login$/)
  })
})

async function register(page: Page, seller: NewSeller): Promise<void> {
  const main = page.getByRole('main')
  await main.getByLabel(es('signIn.register.firstName'), { exact: true }).fill(seller.firstName)
  await main.getByLabel(es('signIn.register.lastName')).fill(seller.lastName)
  await main.getByLabel(es('signIn.register.username')).fill(seller.username)
  await main.getByLabel(es('signIn.email')).fill(seller.email)
  await main.getByLabel(es('signIn.password'), { exact: true }).fill(seller.password)
  await main.getByRole('button', { name: es('signIn.register.submit') }).click()
}

/** As on the screen: 22 nov 2026. */
function inSpanish(date: Date): string {
  return new Intl.DateTimeFormat('es-US', { dateStyle: 'medium' }).format(date)
}

/** All emails to an address, decoded. */
async function mailsTo(dataDir: string, to: string): Promise<string> {
  const folder = join(dataDir, 'mail')
  const names = (await readdir(folder)).filter((name) => !name.startsWith('.'))
  const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'latin1')))
  const bytes = (code: string) => String.fromCharCode(Number.parseInt(code, 16))
  return mails
    .filter((mail) => mail.includes(`To: ${to}`))
    .map((mail) => mail.replace(/=\r?\n/g, '').replace(/=([\dA-F]{2})/g, (_, code) => bytes(code)))
    .map((mail) => Buffer.from(mail, 'latin1').toString('utf8'))
    .join('\n')
}

test('every screen in Spanish fits a phone', async ({ page, staffPage }) => {
  test.setTimeout(180_000)
  const cards: string[] = []
  await page.request.post('/api/auth/register', { data: newSeller(), headers: { 'accept-language': 'es' } })
  await asStaff(staffPage)
  for (const [number, status, reason] of [
    ['6006 1', 'under_review', 'Envíe el reverso de la tarjeta, por favor.'],
    ['6006 2', 'processing'],
    ['6006 3', 'completed'],
    ['6006 4', 'rejected', 'image_code_covered'],
    ['6006 5', 'failed', 'usage_payout_name'],
    ['6006 6', 'pending'],
  ] as const) {
    const id = await submitCard(page, { cardNumber: number })
    cards.push(`/account/card?id=${id}`)
    if (status === 'failed') await move(staffPage, id, 'processing')
    if (status !== 'pending') await move(staffPage, id, status, reason)
  }
  const bank = { type: 'bank_transfer', accountName: 'Sally Seller', routingNumber: '021000021' }
  await page.request.post('/api/payment-methods', { data: { ...bank, accountNumber: '000123456789' } })

  const look = async (name: string, part?: string) => {
    await expect(page.locator('.animate-breathe')).toHaveCount(0)
    await test.step(name, async () => {
      await expectTextFits(page)
      expect(await seriousFaults(page, 'everything', part), 'accessibility').toEqual([])
    })
  }
  for (const path of [...cards, ...sellerScreens]) {
    await page.goto(`/es${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page.getByRole('button', { name: es('site.nav.account') })).toBeVisible()
    await look(path)
  }
  for (const [path, opener] of [
    ['/profile', es('profile.methods.add')],
    ['/profile', es('profile.methods.delete')],
    ['/processing', es('processing.withdraw')],
    ['/processing', es('processing.answer')],
    ['/processing', es('processing.history')],
    ['/transactions', es('site.supportChat')],
  ] as const) {
    await page.goto(`/es${path}`)
    await page
      .getByRole('button', { name: new RegExp(`^${opener}`) })
      .first()
      .click()
    if (opener !== es('processing.history')) {
      await expect(page.getByRole('dialog')).toBeVisible()
    }
    await look(`${path}: ${opener}`)
  }
  await page.goto('/es/transactions')
  await page.getByRole('button', { name: es('site.nav.account') }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await look('account menu', '[role=menu]')
  await page.goto('about:blank')
  await page.context().clearCookies()
  for (const path of visitorScreens) {
    await page.goto(`/es${path}`)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    for (const summary of await page.locator('main summary').all()) await summary.click()
    await look(path)
  }
  await page.getByRole('button', { name: es('site.nav.menu') }).click()
  await expect(page.getByRole('menu')).toBeVisible()
  await look('menu', '[role=menu]')
})

const sellerScreens = [
  '/account',
  '/account/notifications',
  '/account/security',
  '/account/data',
  '/transactions',
  '/processing',
  '/profile',
  '/confirmation?transactionId=0193f2c4-1234-7abc-8def-0123456789ab',
  '/sell-card',
  '/sell-card?brand=amazon&value=100',
  '/sell-card?brand=visa&value=200&quote=182.00&step=2',
]

const visitorScreens = [
  '',
  '/get-quote?brand=target',
  '/help',
  '/faq',
  '/terms',
  '/privacy',
  '/security',
  '/contact',
  '/login',
  '/register',
  '/forgot-password',
  '/reset-password?token=x',
  '/reset-password',
  '/restore-email?token=x',
  '/confirm-email?token=x',
  '/unsubscribe?token=x.offer.x',
  '/no-such-page',
]

test('a Spanish account never sees a page in English first, however slow the connection is', async ({
  page,
}) => {
  await page.goto('/es/register')
  await register(page, newSeller())
  await expect(page).toHaveURL('/es')
  const tab = await page.context().newPage()
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>()
  await tab.route('**/api/auth/me', async (route) => {
    await answered
    await route.continue()
  })
  await tab.addInitScript(() => {
    const look = () => {
      const { hidden, lang } = document.documentElement
      const seen = `${sessionStorage.getItem('seen') ?? ''} ${lang}`
      if (!hidden && document.querySelector('header')) sessionStorage.setItem('seen', seen)
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
  for (const address of ['/account?from=mail#top', '/help']) {
    await tab.goto(address)
    await expect(tab).toHaveURL(`/es${address}`)
    await expect(tab.locator('header').first()).toContainText(es('site.nav.help'))
  }
  const seen = await tab.evaluate(() => sessionStorage.getItem('seen')?.trim().split(' '))
  expect([...new Set(seen)]).toEqual(['es'])
  answer()
  await tab.getByRole('contentinfo').getByRole('link', { name: 'English' }).click()
  await expect(tab).toHaveURL('/help')
  await expect
    .poll(async () => (await tab.request.get('/api/auth/me')).json())
    .toMatchObject({ user: { locale: 'en' } })
  await tab.goto('/es/help')
  await expect(tab).toHaveURL('/help')
})
