import { expect, test } from './desk.ts'
import { expectAccessible } from './looks.ts'
import { expectToast, mailedLink } from './sellers.ts'
import { newAdministrator, screens, signedIn } from './staff-people.ts'

test('an owner invites somebody, who sees only what the role includes until the account is disabled', async ({
  staffPage,
  page,
  database,
  dataDir,
}) => {
  test.slow()
  await signedIn(staffPage, await newAdministrator(database))
  await staffPage.goto('/admin')
  await screens(staffPage).getByRole('link', { name: 'Staff' }).click()
  await staffPage.getByRole('button', { name: 'Invite' }).click()
  const email = staffPage.getByLabel('Email')
  await email.fill('pia.payer')
  await staffPage.getByLabel('Role').selectOption('Payer')
  await staffPage.getByRole('button', { name: 'Send invitation' }).click()
  await expect(email).toHaveAccessibleDescription(/valid email/)
  await expect(staffPage.getByLabel('Role')).toHaveValue('payer')
  const address = `pia${process.pid}@example.com`
  await email.fill(address)
  await staffPage.getByRole('button', { name: 'Send invitation' }).click()
  await expectToast(staffPage, 'Invitation Sent')
  await expect(staffPage.getByRole('row', { name: new RegExp(address) })).toContainText('Invited, until')
  await expectAccessible(staffPage)

  const link = await mailedLink(dataDir, address, '/admin/login', 'invite')
  await page.goto(link)
  await expect(page.getByText('is invited as a payer')).toBeVisible()
  const username = page.getByLabel('Admin Username')
  await username.fill('admin')
  await page.getByLabel('Admin Password', { exact: true }).fill('a very good password')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(username).toHaveAccessibleDescription(/already taken/)
  const name = `pia${process.pid}`
  await username.fill(name)
  await page.getByRole('button', { name: 'Create account' }).click()
  await expectToast(page, 'Welcome')
  // Payers start where their work is.
  await expect(page).toHaveURL(/\/admin\/payouts$/)
  const payersScreens = [/^Dashboard/, /^Chat/, 'Legal holds', /^Payouts/, 'Brands']
  await expect(screens(page).getByRole('link')).toHaveText(payersScreens)
  await screens(page).getByRole('link', { name: 'Dashboard' }).click()
  await expect(page.getByRole('tab')).toHaveText(['Submissions', 'Users', 'Transactions', 'Chat'])
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByRole('button', { name: 'Screens' }).click()
  await expect(page.getByRole('menuitem')).toHaveText(payersScreens)
  await page.keyboard.press('Escape')
  await page.goto('/admin/staff')
  await expect(page.getByText('Your role does not include this screen')).toBeVisible()
  await page.goto('/admin/brands')
  await expect(page.getByRole('heading', { name: 'Brands' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Add brand' })).toHaveCount(0)

  await staffPage.reload()
  await staffPage.getByRole('button', { name: `Change ${name}` }).click()
  await staffPage.getByRole('button', { name: 'Disable account' }).click()
  await expect(staffPage.getByText('cannot sign in until an owner enables')).toBeVisible()
  await staffPage.getByRole('button', { name: 'Disable account' }).click()
  await expectToast(staffPage, 'Account Changed')
  await expect(staffPage.getByRole('row', { name: new RegExp(address) })).toContainText('Disabled')
  await expect(page).toHaveURL(/\/admin\/login/)
  await page.goto(link)
  await expect(page.getByText('This invitation cannot be used')).toBeVisible()
})

test('an administrator changes the password, which signs out other browsers', async ({
  staffPage,
  page,
  database,
}) => {
  const administrator = await newAdministrator(database)
  await signedIn(staffPage, administrator)
  await signedIn(page, administrator)
  await page.goto('/admin/brands')
  await expect(screens(page)).toBeVisible()

  await staffPage.goto('/admin/security')
  const sessions = staffPage.getByRole('region', { name: 'Sessions' })
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  // The staff's style sheet repeats the kit's classes in their order, or `grid-cols-1` would win over `lg:grid-cols-…`.
  await expect(sessions).toHaveCSS('grid-template-columns', /^288px \S+$/)
  const form = staffPage.getByRole('region', { name: 'Password' })
  const change = form.getByRole('button', { name: 'Change Password' })
  await form.getByLabel('Current password').fill('not this one')
  await form.getByLabel('New password', { exact: true }).fill('a much better password')
  await form.getByLabel('Repeat new password').fill('a much better password')
  await change.click()
  await expect(form.getByText('Current password is incorrect')).toBeVisible()
  await form.getByLabel('Current password').fill(administrator.password)
  await change.click()
  await expectToast(staffPage, 'Password Changed')
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  await expect(page).toHaveURL('/admin/login')
  await expectAccessible(staffPage)

  await signedIn(page, { ...administrator, password: 'a much better password' })
  await staffPage.reload()
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  await sessions.getByRole('button', { name: 'Sign Out Everywhere Else' }).click()
  await expectToast(staffPage, 'Signed Out')
  await expect(sessions.getByRole('listitem')).toHaveCount(1)
  expect((await page.request.get('/api/admin/me')).status()).toBe(401)
})

test('an owner sees what is wrong with the system, retries and discards failed jobs, and sends a test email', async ({
  staffPage,
  database,
}) => {
  const kinds = ['replyMail', 'payoutMail']
  for (const kind of kinds) {
    await database.query(
      `insert into jobs (id, kind, key, payload, attempts, failed_at, last_error)
       values (gen_random_uuid(), $1, gen_random_uuid()::text, '{}', 36, now(), 'Error: 550 <sally@example.com> no')`,
      [kind],
    )
  }
  await signedIn(staffPage, await newAdministrator(database))
  await staffPage.goto('/admin')
  await screens(staffPage).getByRole('link', { name: 'System' }).click()
  const findings = staffPage.getByRole('region', { name: 'What to look at' })
  await expect(findings.getByRole('listitem').first()).toContainText('Not working')
  await expect(findings.getByRole('link', { name: 'Guide: Mail' }).first()).toHaveAttribute(
    'href',
    '/api/admin/system/guide#:~:text=%23%20Mail',
  )
  const failed = staffPage.getByRole('region', { name: 'Failed jobs' })
  await expect(failed.getByRole('listitem')).toHaveText([/refused it \(550\)/, /refused it \(550\)/])
  await expectAccessible(staffPage)
  await failed.getByRole('button', { name: 'Discard Payout mail' }).click()
  await staffPage.getByRole('dialog').getByRole('button', { name: 'Discard', exact: true }).click()
  await expectToast(staffPage, 'Job Discarded')
  await expect(failed.getByRole('listitem')).toHaveCount(1)
  await failed.getByRole('button', { name: 'Retry Reply mail' }).click()
  await expectToast(staffPage, 'Trying Again')
  await expect(failed).toHaveCount(0)

  await staffPage.getByRole('button', { name: 'Send a test email' }).click()
  await staffPage.getByRole('button', { name: 'Send', exact: true }).click()
  await expect(staffPage.getByRole('textbox', { name: 'Email' })).toHaveAccessibleDescription(/valid email/)
  await staffPage.getByRole('textbox', { name: 'Email' }).fill('owner@example.com')
  await staffPage.getByRole('button', { name: 'Send', exact: true }).click()
  await expectToast(staffPage, 'Written to a File')
})
