import { appSettled, expect, test } from './fixtures.ts'
import { forgive, signedUp } from './sellers.ts'

test('signed-in sellers can install the app, and get its offline page in their language', async ({
  page,
  context,
  complaints,
}) => {
  await page.goto('/')
  await appSettled(page)
  expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations())).toEqual([])
  await signedUp(page)
  await page.goto('/transactions')
  const manifest = page.locator('link[rel=manifest]')
  await expect(manifest).toHaveAttribute('href', '/manifest.en.webmanifest')
  const { icons, start_url } = await (await page.request.get('/manifest.en.webmanifest')).json()
  expect(start_url).toBe('/account')
  for (const { src } of icons)
    expect((await page.request.get(src)).headers()['content-type']).toBe('image/png')

  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  const cached = await page.evaluate(async () => {
    const names = await caches.keys()
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
    return requests.flat().map(({ url }) => new URL(url).pathname)
  })
  expect(cached.sort()).toEqual(['/es/offline', '/offline'])

  await context.setOffline(true)
  await page.goto('/processing')
  await expect(page.getByRole('heading', { name: 'You are offline' })).toBeVisible()
  // A connection that is gone again at once must not end the next navigation.
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await page.goto('/es/transactions')
  await expect(page.getByRole('heading', { name: 'No tiene conexión' })).toBeVisible()
  await context.setOffline(false)
  await page.getByRole('link', { name: 'Intentar de nuevo' }).click()
  await expect(page.getByRole('navigation').first()).toBeVisible()
  await expect(page).toHaveURL(/\/transactions$/)
  forgive(complaints, /net::ERR_INTERNET_DISCONNECTED/)
})
