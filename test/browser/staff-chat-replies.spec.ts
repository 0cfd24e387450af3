import { contact, log, open, reply, row, say, sendButton, write } from './chat-desk.ts'
import { expect, test } from './desk.ts'
import { asStaff, expectToast, forgive, signedUp } from './sellers.ts'

test('reports a failed reply, keeps it, and stores it once', async ({ page, staffPage, complaints }) => {
  const seller = await signedUp(page)
  await say(page, 'Hello?')
  await asStaff(staffPage)
  await open(staffPage, seller.username)
  const sent: { clientId: string }[] = []
  const failures = [
    { status: 409, contentType: 'application/json', body: '{"code":"x","message":"Not while it rains"}' },
    { status: 502, body: '<html>Bad gateway</html>' },
  ]
  await staffPage.route('**/api/admin/chat/reply', async (route) => {
    sent.push(route.request().postDataJSON())
    const failure = failures[sent.length - 1]
    if (failure) return route.fulfill(failure)
    // Stored, but the answer is lost.
    await route.fetch()
    return sent.length === 3 ? route.abort() : route.continue()
  })
  await write(staffPage, 'Good day')
  await expectToast(staffPage, 'Error', 'Not while it rains')
  await expect(reply(staffPage)).toHaveValue('Good day')
  await sendButton(staffPage).click()
  await expectToast(staffPage, 'Error', 'Failed to send reply')
  await sendButton(staffPage).click()
  await expectToast(staffPage, 'Error', 'We could not be reached.')
  await staffPage.reload()
  await expect(reply(staffPage)).toHaveValue('Good day')
  await sendButton(staffPage).click()
  await expect(reply(staffPage)).toHaveValue('')
  await expect(log(staffPage).getByText('Good day')).toHaveCount(1)
  expect(new Set(sent.map(({ clientId }) => clientId)).size).toBe(1)
  forgive(complaints, /net::ERR_FAILED|502/)
})

test('blocks changes and a second send while a reply is being sent', async ({ page, staffPage }) => {
  const seller = await signedUp(page)
  await say(page, 'Hello?')
  await contact(page, { firstName: 'Yves' })
  await asStaff(staffPage)
  await open(staffPage, seller.username)
  const { promise: held, resolve: go } = Promise.withResolvers<void>()
  let posts = 0
  await staffPage.route('**/api/admin/chat/reply', async (route) => {
    posts += 1
    await held
    await route.continue()
  })
  await write(staffPage, 'Once')
  await expect(sendButton(staffPage)).toBeDisabled()
  await reply(staffPage).press('Enter')
  await reply(staffPage).pressSequentially('more')
  await expect(reply(staffPage)).toHaveValue('Once')
  // Leaving and coming back does not unlock it either.
  await row(staffPage, 'Yves').getByRole('button').click()
  await expect(reply(staffPage)).toHaveValue('')
  await row(staffPage, seller.username).getByRole('button').click()
  await reply(staffPage).press('Enter')
  go()
  await expect(log(staffPage).getByText('Once')).toHaveCount(1)
  await expect(reply(staffPage)).toHaveValue('')
  expect(posts).toBe(1)
})

test('keeps a draft for each conversation until signing out', async ({ page, staffPage }) => {
  const seller = await signedUp(page)
  await say(page, 'Hello?')
  await contact(page, { firstName: 'Zora' })
  await asStaff(staffPage)
  await open(staffPage, seller.username)
  await reply(staffPage).fill('To the seller')
  await row(staffPage, 'Zora').getByRole('button').click()
  await expect(reply(staffPage)).toHaveValue('')
  await reply(staffPage).fill('To Zora')
  await expect(row(staffPage, seller.username)).toContainText('Draft: To the seller')
  await staffPage.goto('/admin')
  await open(staffPage, seller.username)
  await expect(reply(staffPage)).toHaveValue('To the seller')
  await staffPage.getByRole('button', { name: 'Logout' }).click()
  await expect(staffPage).toHaveURL(/\/admin\/login/)
  await asStaff(staffPage)
  await open(staffPage, seller.username)
  await expect(reply(staffPage)).toHaveValue('')
})

test('adds, finds, inserts, edits and deletes saved replies', async ({ page, staffPage }) => {
  const seller = await signedUp(page)
  await say(page, 'When will I be paid?')
  await asStaff(staffPage)
  await open(staffPage, seller.username)
  const trigger = staffPage.getByRole('button', { name: 'Saved replies' })
  const find = staffPage.getByLabel('Find a saved reply')
  const manager = staffPage.getByRole('dialog', { name: 'Saved replies' })
  const manage = async () => {
    await trigger.click()
    await staffPage.getByRole('button', { name: 'Manage saved replies' }).click()
  }
  await reply(staffPage).press('/')
  await expect(staffPage.getByText('No saved replies yet')).toBeVisible()
  await expect(find).toBeFocused()
  await staffPage.keyboard.press('Escape')
  await expect(reply(staffPage)).toBeFocused()
  await expect(reply(staffPage)).toHaveValue('')
  // Opened by its key, it leaves the keys on.
  await reply(staffPage).press('Escape')
  await staffPage.keyboard.press('s')
  await expect(find).toBeFocused()
  await staffPage.keyboard.press('Escape')
  await expect(find).toHaveCount(0)
  await expect(reply(staffPage)).not.toBeFocused()
  await reply(staffPage).fill('Within 3 business days.')
  await manage()
  await manager.getByRole('button', { name: 'Add a saved reply' }).click()
  // Offers the text in the reply box.
  await expect(manager.getByLabel('Text', { exact: true })).toHaveValue('Within 3 business days.')
  await manager.getByRole('button', { name: 'Save' }).click()
  await expect(manager.getByText('Title is required')).toBeVisible()
  await manager.getByLabel('Title').fill('Payout <b>times</b>')
  await manager.getByRole('button', { name: 'Save' }).click()
  await manager.getByRole('button', { name: 'Add a saved reply' }).click()
  await manager.getByLabel('Title').fill('Greeting')
  await manager.getByLabel('Text', { exact: true }).fill('Good day! ')
  await manager.getByRole('button', { name: 'Save' }).click()
  await expect(manager.getByRole('listitem')).toHaveCount(2)
  await manager.getByRole('button', { name: 'Close' }).click()
  await expect(log(staffPage).getByRole('listitem')).toHaveCount(1)

  await reply(staffPage).fill('Hello. Bye.')
  for (let key = 0; key < 4; key += 1) await reply(staffPage).press('ArrowLeft')
  await trigger.click()
  await find.fill('business TIMES')
  const found = staffPage.getByRole('listbox', { name: 'Saved replies' }).getByRole('option')
  await expect(found).toHaveCount(1)
  await find.press('Enter')
  await expect(reply(staffPage)).toHaveValue('Hello. Within 3 business days.Bye.')
  await expect(reply(staffPage)).toBeFocused()

  await manage()
  await manager.getByRole('button', { name: 'Edit Greeting' }).click()
  await manager.getByLabel('Text', { exact: true }).fill('Good morning!')
  await manager.getByRole('button', { name: 'Save' }).click()
  await expect(manager.getByText('Good morning!')).toBeVisible()
  await manager.getByRole('button', { name: 'Delete Greeting' }).click()
  await manager.getByRole('button', { name: 'Delete for everyone' }).click()
  await expect(manager.getByRole('listitem')).toHaveCount(1)
  await expect(manager.getByText('Payout <b>times</b>')).toBeVisible()
  await manager.getByRole('button', { name: 'Delete Payout' }).click()
  await manager.getByRole('button', { name: 'Delete for everyone' }).click()
  await expect(manager.getByText('No saved replies yet')).toBeVisible()
})

test('inserts saved replies in the language of the customer', async ({ page, staffPage }) => {
  const seller = await signedUp(page)
  await page.request.put('/api/user/locale', { data: { locale: 'es' } })
  await say(page, '¿Cuándo me pagan?')
  await asStaff(staffPage)
  await open(staffPage, seller.username)
  await expect(reply(staffPage)).toHaveAccessibleDescription(new RegExp(`^${seller.username} reads Spanish`))
  const manager = staffPage.getByRole('dialog', { name: 'Saved replies' })
  await staffPage.getByRole('button', { name: 'Saved replies' }).click()
  await staffPage.getByRole('button', { name: 'Manage saved replies' }).click()
  for (const [title, text, spanish] of [
    ['When paid', 'Tomorrow', 'Mañana'],
    ['Wait', 'One moment', ''],
  ] as const) {
    await manager.getByRole('button', { name: 'Add a saved reply' }).click()
    await manager.getByLabel('Title').fill(title)
    await manager.getByLabel('Text', { exact: true }).fill(text)
    await manager.getByLabel('Text in Spanish').fill(spanish)
    await manager.getByRole('button', { name: 'Save' }).click()
    await expect(manager.getByText(title)).toBeVisible()
  }
  await manager.getByRole('button', { name: 'Close' }).click()
  await staffPage.getByRole('button', { name: 'Saved replies' }).click()
  const options = staffPage.getByRole('listbox', { name: 'Saved replies' }).getByRole('option')
  await expect(options.filter({ hasText: 'Wait' })).toContainText('Only in English')
  await options.filter({ hasText: 'When paid' }).click()
  await expect(reply(staffPage)).toHaveValue('Mañana')
})
