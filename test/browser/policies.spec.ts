import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { policyTerms, trust } from '../policies.ts'
import { newNumber } from '../submissions.ts'
import { expect, openSubmission, test } from './desk.ts'
import { expectAccessible } from './looks.ts'
import { expectToast, signedUp, submitCard } from './sellers.ts'
import { amazon, files, fillIn, picker, submit, toForm } from './selling.ts'
import { newAdministrator, screens, signedIn } from './staff-people.ts'

const POLICIES = '/api/admin/policies'

async function turnAllOff({ request }: Page): Promise<void> {
  for (const { id, version, mode } of (await (await request.get(POLICIES)).json()).policies) {
    if (mode !== 'off') await request.post(`${POLICIES}/${id}/mode`, { data: { mode: 'off', version } })
  }
}

test('a manager writes a policy, somebody else turns it on, and one button stops all', async ({
  staffPage: page,
  ana,
  database,
}) => {
  await signedIn(page, await newAdministrator(database))
  await page.goto('/admin')
  await screens(page).getByRole('link', { name: 'Policies' }).click()
  await expect(page.getByText('No policies yet')).toBeVisible()
  await page.getByRole('link', { name: 'Add policy' }).click()

  await test.step('the form says what is missing, and what its fields would have done', async () => {
    await page.getByRole('button', { name: 'Add policy' }).click()
    await expect(page.getByLabel('Name')).toHaveAccessibleDescription(/Name is required/)
    await expect(page.getByText('Please choose at least one brand')).toBeVisible()
    await page.getByLabel('Name').fill('Small cards')
    await page.getByLabel('Amazon').check()
    await page.getByLabel('Sample for a person').fill('4')
    await expect(page.getByLabel('Sample for a person')).toHaveAccessibleDescription(/from 5 to 100/)
    await page.getByLabel('Sample for a person').fill('10')
    await expect(page.getByRole('region', { name: 'Preview' })).toContainText('It would have approved')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add policy' }).click()
    await expectToast(page, 'Policy Saved', 'Small cards, version 1')
  })

  await test.step('a change makes a new version', async () => {
    await expect(page.getByRole('heading', { name: 'Small cards' })).toBeVisible()
    await page.getByLabel('Highest face value').fill('75')
    await page.getByRole('button', { name: 'Save as a new version' }).click()
    await expectToast(page, 'Policy Saved', 'Small cards, version 2')
    const versions = page.getByRole('region', { name: 'Versions' }).first()
    await expect(versions.getByRole('row')).toHaveCount(3)
    await expect(versions.getByRole('row').nth(1)).toContainText('$75.00')
    await expectAccessible(page)
  })

  const turnOn = async (by: Page) => {
    await by.getByRole('button', { name: 'Turn on' }).click()
    await by.getByRole('dialog').getByRole('button', { name: 'Turn on' }).click()
  }
  await test.step('its author cannot turn it on', async () => {
    await turnOn(page)
    await expect(page.getByRole('dialog')).toContainText('has to turn this policy on')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  })

  await test.step('a colleague can, and stops all policies', async () => {
    await ana.goto(page.url())
    await turnOn(ana)
    await expectToast(ana, 'Policy Changed', 'Small cards: On')
    await ana.getByRole('link', { name: 'All policies' }).click()
    // Until the list is there, the versions of the policy have rows with its name too.
    await expect(ana.getByRole('link', { name: 'Add policy' })).toBeVisible()
    await expect(ana.getByRole('row', { name: /Small cards/ })).toContainText('Amazon')
    await ana.getByRole('button', { name: 'Stop all policies' }).click()
    await expect(ana.getByText('All policies are stopped')).toBeVisible()
    const mode = ana.getByRole('row', { name: /Small cards/ })
    await expect(mode.getByText('Stopped', { exact: true })).toBeVisible()
    await expectAccessible(ana)
    await ana.getByRole('button', { name: 'Start policies again' }).click()
    await ana.getByRole('dialog').getByRole('button', { name: 'Start policies' }).click()
    await expect(ana.getByText('All policies are stopped')).toHaveCount(0)
    await expect(mode.getByText('On', { exact: true })).toBeVisible()
  })
  await turnAllOff(page)
})

test('a seller sees the check, the approval by a policy and the payment as they happen, in both languages', async ({
  page,
  staffPage,
  ana,
  database,
}) => {
  test.slow()
  let answering = Promise.withResolvers<string>()
  const service = createServer(async (_request, response) => void response.end(await answering.promise))
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}/`
  await signedIn(staffPage, await newAdministrator(database))
  await staffPage.request.put('/api/admin/balance-connectors/amazon', { data: { url } })
  const added = await staffPage.request.post(POLICIES, { data: { ...policyTerms, mode: 'shadow' } })
  const { id: policy, version } = await added.json()
  await ana.request.post(`${POLICIES}/${policy}/mode`, { data: { mode: 'on', version } })

  const seller = await signedUp(page)
  await submitCard(page, {
    brand: 'target',
    sellingPrice: '91.00',
    discountPercentage: '9.00',
    paymentAccountInfo: seller.email,
  })
  await trust(database, seller.id)
  const expectProgress = (text: string) =>
    expect(page.getByRole('status').filter({ hasText: text })).toBeVisible()
  const isApproved = async (): Promise<boolean> => {
    answering = Promise.withResolvers<string>()
    await toForm(page, amazon)
    await fillIn(page)
    await page.getByLabel('Card number').fill(newNumber())
    await page.getByLabel('Account information').fill(seller.email)
    // A saved account counts as new for 72 hours.
    await page.getByLabel(/Remember this account/).uncheck()
    await picker(page).setInputFiles(await files(1))
    await submit(page).click()
    await expect(page.getByText('Checking the balance…')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Your card is in review' })).toBeVisible()
    const id = new URL(page.url()).searchParams.get('giftCardId')
    // Otherwise the policy decides before anybody has read the balance.
    const decisions = await database.connect()
    await decisions.query("select pg_advisory_lock(hashtext('policy decisions'))")
    answering.resolve('{"status":"ok","amount":"100.00"}')
    await expectProgress('$100.00 found')
    decisions.release(true)
    const decision = async () =>
      (await database.query('select outcome, reason from policy_decisions where gift_card_id = $1', [id]))
        .rows
    await expect.poll(decision).toHaveLength(1)
    const [{ outcome, reason }] = await decision()
    if (outcome !== 'approved') expect(reason).toBe('sample')
    return outcome === 'approved'
  }
  await test.step('the confirmation says so', async () => {
    // A few cards in a hundred are a person's sample.
    const wasApproved = (await isApproved()) || (await isApproved()) || (await isApproved())
    expect(wasApproved).toBe(true)
    await expect(page.getByRole('heading', { name: 'Your card is approved' })).toBeVisible()
    await expectProgress('Approved')
    await expect(page.getByText('Your payment is being processed.')).toBeVisible()
    await expectAccessible(page)
  })

  const id = new URL(page.url()).searchParams.get('giftCardId') ?? ''
  const confirmation = (locale: string) => `${locale}/confirmation?giftCardId=${id}`
  const use = (locale: string) => page.request.put('/api/user/locale', { data: { locale } })
  await test.step('in Spanish too, and that the payment is on its way and arrives', async () => {
    await use('es')
    await page.goto(confirmation('/es'))
    await expect(page.getByRole('heading', { name: 'Su tarjeta está aprobada' })).toBeVisible()
    await expectProgress('Aprobada')
    const batches = '/api/admin/payout-batches'
    const [payout] = await (await ana.request.get(`/api/admin/payouts?q=${id}`)).json()
    const data = { paymentType: 'paypal', payoutIds: [payout.id] }
    const batch = await (await ana.request.post(batches, { data })).json()
    await ana.request.post(`${batches}/${batch.id}/freeze`)
    for (const step of ['release', 'file']) await staffPage.request.post(`${batches}/${batch.id}/${step}`)
    await expectProgress('En camino a PayPal')
    await use('en')
    await page.goto(confirmation(''))
    await expectProgress('On its way to PayPal')
    await expect(page.getByText('Your payment is being processed.')).toHaveCount(0)
    await staffPage.request.post(`${batches}/${batch.id}/settle`, { data: { reference: 'PP-1' } })
    await expectProgress('Paid by PayPal')
    await expect(page.getByText('You received')).toBeVisible()
  })

  await test.step('the card keeps it in its history', async () => {
    await page.goto(`/account/card?id=${id}`)
    await expect(page.getByRole('list', { name: 'History' })).toContainText('Checked automatically')
    await use('es')
    await page.goto(`/es/account/card?id=${id}`)
    await expect(page.getByText('Revisada automáticamente')).toBeVisible()
  })

  await test.step('the desk names the policy', async () => {
    await staffPage.goto(`/admin?id=${id}`)
    await expect(openSubmission(staffPage)).toContainText(`Approved by “${policyTerms.name}” v2`)
  })
  await turnAllOff(staffPage)
  await staffPage.request.delete('/api/admin/balance-connectors/amazon')
  service.close()
})
