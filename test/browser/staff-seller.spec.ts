import { passwordIn } from '../operator.ts'
import { cardsOf, expect, openSubmission, test } from './desk.ts'
import { expectAccessibleInBothThemes, expectNoHorizontalScroll } from './looks.ts'
import { asStaff, expectToast } from './sellers.ts'
import { amazon, files, fillIn, picker, submit, toForm } from './selling.ts'
import { command, inPagesOf, screens, signedIn } from './staff-people.ts'

test('a manager holds and blocks a seller, and staff take notes', async ({ page, staffPage, database }) => {
  const as = async (username: string, role: string) => {
    const password = passwordIn(await command(database, 'create', username, '--role', role))
    await signedIn(staffPage, { username, password })
  }
  const { seller, id } = await cardsOf(page, {})
  const state = staffPage.getByRole('region', { name: 'State' })
  const notes = staffPage.getByRole('region', { name: 'Notes' })
  const change = async (choice: string, reason: string, button: string) => {
    await state.getByRole('button', { name: 'Change state' }).click()
    await staffPage.getByLabel(choice).check()
    await staffPage.getByLabel('Reason').fill(reason)
    await staffPage.getByRole('button', { name: button }).click()
    await expectToast(staffPage, 'State Changed')
  }

  await as('mia', 'manager')
  await staffPage.goto(`/admin?tab=users&q=${seller.username}`)
  await staffPage.getByRole('link', { name: seller.username, exact: true }).click()
  await expect(staffPage.getByRole('heading', { level: 1, name: seller.username })).toBeVisible()
  await expect(staffPage.getByRole('region', { name: 'submissions', exact: true })).toContainText('Amazon')
  await change('Held', 'Waits for an ID', 'Hold payments')
  await expect(state).toContainText('Waits for an ID')
  await expect(notes.getByRole('listitem')).toContainText(['Waits for an ID'])

  await as('rita', 'reviewer')
  await staffPage.goto(`/admin?id=${id}`)
  await expect(openSubmission(staffPage)).toContainText('Seller on hold')
  await notes.getByLabel('New note').fill('The receipt is missing')
  await notes.getByRole('button', { name: 'Add note' }).click()
  await expect(notes.getByRole('listitem')).toContainText(['The receipt is missing'])
  await staffPage.getByRole('button', { name: 'Approve & Complete' }).press('Enter')
  await expectToast(
    staffPage,
    'Seller on hold',
    'Start Processing approves it; it is paid after the release.',
  )
  await expect(staffPage.getByRole('dialog')).toHaveCount(0)
  await openSubmission(staffPage).getByRole('link', { name: seller.username, exact: true }).click()
  await expect(notes.getByRole('listitem')).toContainText(['The receipt is missing', 'Waits for an ID'])
  await expect(state).toContainText('Held')
  await expect(state.getByRole('button')).toHaveCount(0)

  await asStaff(staffPage)
  await staffPage.reload()
  await change('Blocked', 'Sold a used card', 'Block')
  await toForm(page, amazon)
  await fillIn(page)
  await picker(page).setInputFiles(await files(1))
  await submit(page).click()
  await expect(page.getByText('your account cannot sell cards').last()).toBeVisible()
  await expect(page.getByLabel('Card number')).toHaveValue('6006 4930 1234 5678')
  await page.getByRole('main').getByRole('link', { name: 'Support Chat' }).click()
  await expect(page.getByRole('dialog', { name: 'Support Chat' })).toBeVisible()
  await expect(page.getByLabel('Card number', { exact: true })).toHaveValue('6006 4930 1234 5678')
})

test('a manager lifts a hold from the list of all holds', async ({ page, staffPage }) => {
  const { seller, ids } = await cardsOf(page, {}, {})
  await asStaff(staffPage)
  const place = async (about: object, reason: string) => {
    const answer = await staffPage.request.post('/api/admin/holds', { data: { ...about, reason } })
    expect(answer.status()).toBe(201)
  }
  await place({ userId: seller.id }, 'The police asked')
  for (const [index, submissionId] of ids.entries()) await place({ submissionId }, `Dispute ${index}`)

  const row = (text: string) => staffPage.getByRole('row').filter({ hasText: text })
  await inPagesOf(staffPage, 2, '/api/admin/holds')
  await staffPage.goto('/admin')
  await screens(staffPage).getByRole('link', { name: 'Legal holds' }).click()
  await expect(staffPage.getByText('3 legal holds')).toBeVisible()
  await expect(row('The police asked')).toContainText(`All of ${seller.username}`)
  await expectAccessibleInBothThemes(staffPage)

  await staffPage.getByRole('combobox', { name: 'On what' }).selectOption('Submissions')
  await expect(row('The police asked')).toHaveCount(0)
  await expect(row('Dispute 0')).toBeVisible()
  await staffPage.getByRole('combobox', { name: 'On what' }).blur()
  await staffPage.keyboard.press('j')
  await staffPage.keyboard.press('j')
  await staffPage.keyboard.press('l')
  const dialog = staffPage.getByRole('dialog', { name: 'Lift this legal hold?' })
  await expect(dialog).toContainText('Dispute 0')
  await staffPage.keyboard.press('Enter')
  await expectToast(staffPage, 'Legal Hold Lifted')
  await expect(row('Dispute 0')).toHaveCount(0)
  await row('Dispute 1').getByRole('link').click()
  await expect(openSubmission(staffPage)).toContainText('Legal hold')
  await staffPage.setViewportSize({ width: 360, height: 740 })
  await staffPage.goto('/admin/holds')
  await expect(staffPage.getByText('2 legal holds')).toBeVisible()
  await expectNoHorizontalScroll(staffPage)
})
