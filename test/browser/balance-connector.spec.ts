import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, openSubmission, test } from './desk.ts'
import { expectAccessible } from './looks.ts'
import { expectToast, signedUp } from './sellers.ts'
import { amazon, files, fillIn, picker, submit, toForm } from './selling.ts'
import { newAdministrator, signedIn } from './staff-people.ts'

test('a balance connector is added, asked about a card, live on both sides, and deleted', async ({
  page,
  staffPage,
  database,
}) => {
  test.slow()
  const answering = Promise.withResolvers<string>()
  let answer: string | Promise<string> = answering.promise
  const service = createServer(async (_request, response) => void response.end(await answer))
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`

  await signedIn(staffPage, await newAdministrator(database))
  await staffPage.goto('/admin/brands?q=amazon')
  const connector = (state: string) =>
    staffPage.getByRole('button', { name: `Balance connector for Amazon: ${state}` })
  const dialog = staffPage.getByRole('dialog')
  await test.step('an owner adds the connector and sees its secret once', async () => {
    await connector('Add').click()
    await dialog.getByLabel('Address').fill('http://10.0.0.7/')
    await dialog.getByRole('button', { name: 'Add Connector' }).click()
    await expect(dialog.getByLabel('Address')).toHaveAccessibleDescription(/https/)
    await dialog.getByLabel('Address').fill(url)
    await expectAccessible(staffPage)
    await dialog.getByRole('button', { name: 'Add Connector' }).click()
    await expect(dialog.getByText(/^whsec_/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(connector('On')).toBeVisible()
  })

  await test.step('the seller sees the check as it happens', async () => {
    await signedUp(page)
    await toForm(page, amazon)
    await fillIn(page)
    await picker(page).setInputFiles(await files(1))
    await submit(page).click()
    await expect(page).toHaveURL(/\/confirmation/)
    await expect(page.getByText('Checking the balance…')).toBeVisible()
    await expectAccessible(page)
    answering.resolve('{"status":"ok","amount":"100.00"}')
    await expect(page.getByText('$100.00 found')).toBeVisible()
    await expect(page.getByText('Checking the balance…')).toHaveCount(0)
  })

  const id = new URL(page.url()).searchParams.get('giftCardId') ?? ''
  await test.step('in Spanish too', async () => {
    await page.request.put('/api/user/locale', { data: { locale: 'es' } })
    await page.goto(`/es/confirmation?giftCardId=${id}`)
    await expect(page.getByText('Saldo encontrado: $100.00')).toBeVisible()
  })

  await test.step('a reviewer sees the result, asks again, and reads why it failed', async () => {
    await staffPage.goto(`/admin?q=${id}`)
    const balance = openSubmission(staffPage)
    await expect(balance).toContainText('by the balance service')
    answer = '<html>Sorry</html>'
    await staffPage.getByRole('button', { name: 'Ask Balance Service Again' }).click()
    await expect(balance).toContainText('Gave an answer that we cannot read')
    await expect(balance).toContainText('$100.00')
  })

  await test.step('an owner makes a new secret and deletes the connector', async () => {
    await staffPage.goto('/admin/brands?q=amazon')
    await connector('On').click()
    await dialog.getByRole('button', { name: 'New Secret' }).click()
    await dialog.getByRole('button', { name: 'Make Secret' }).click()
    await expect(dialog.getByText(/^whsec_/)).toBeVisible()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await connector('On').click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('button', { name: 'Delete Connector' }).click()
    await expectToast(staffPage, 'Balance Connector Deleted', 'The balance connector has been deleted')
    await expect(connector('Add')).toBeVisible()
  })
  service.close()
})
