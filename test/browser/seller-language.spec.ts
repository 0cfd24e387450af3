import { expect, test } from './fixtures.ts'
import { expectToast, pressAnyway, signedUp } from './sellers.ts'
import { amazon, files, fillIn, picker, submit, toForm } from './selling.ts'

test('changing the language of the sell form keeps the draft, the photos and the errors', async ({
  page,
}) => {
  await signedUp(page)
  await toForm(page, amazon)
  await fillIn(page)
  await page.getByLabel('Card number').fill('ab')
  const pdf = { name: 'a.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF') }
  await picker(page).setInputFiles([...(await files(1)), pdf])
  await pressAnyway(submit(page))
  await expect(page.getByText('Only images can be added.')).toBeVisible()

  await page.getByRole('banner').getByRole('link', { name: 'Español' }).click()
  await expect(page).toHaveURL(/\/es\/sell-card\?.*step=2/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Venda su tarjeta de Amazon')
  const number = page.getByLabel('Número de la tarjeta')
  await expect(number).toHaveValue('ab')
  await expect(number).toHaveAttribute('aria-invalid', 'true')
  await expect(number).toHaveAccessibleDescription(/tarjeta/)
  await expect(page.getByLabel('Método de pago')).toHaveValue('paypal')
  await expect(page.getByLabel('Datos de la cuenta')).toHaveValue('sally@example.com')
  await expect(page.getByRole('img', { name: 'Foto 1' })).toBeVisible()
  await expect(page.getByText('Solo se pueden agregar imágenes.')).toBeVisible()

  await page.reload()
  await expect(page.getByText('Su borrador sigue aquí')).toBeVisible()
  await expect(page.getByLabel('Método de pago')).toHaveValue('paypal')
  await number.fill('6006 4930 1234 5678')
  await picker(page).setInputFiles(await files(1))
  await submit(page).click()
  await expectToast(page, '¡Tarjeta enviada!')
  await expect(page).toHaveURL(/\/es\/confirmation/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Su tarjeta está en revisión')
})

test('who signs in on a Spanish page stays in Spanish, and so do the emails', async ({ page }) => {
  const { email, password } = await signedUp(page)
  await page.context().clearCookies()
  await page.goto('/es/login')
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByLabel('Contraseña', { exact: true }).fill(password)
  await page.getByRole('main').getByRole('button', { name: 'Iniciar sesión', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Mi cuenta' })).toBeVisible()
  await expect(page).toHaveURL('/es')
  await expect(async () => {
    expect((await (await page.request.get('/api/auth/me')).json()).user.locale).toBe('es')
  }).toPass()
})
