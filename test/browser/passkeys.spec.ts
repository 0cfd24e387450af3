import type { Page } from '@playwright/test'
import { expect, test } from './desk.ts'
import { expectAccessible, expectAccessibleInBothThemes } from './looks.ts'
import { expectToast, signedUp } from './sellers.ts'
import { newAdministrator, signedIn } from './staff-people.ts'

// Browsers have passkeys only for hosts with a name.
test.use({ host: 'localhost' })

test('a seller adds a passkey, signs in with it, and removes it', async ({ page }) => {
  const setVerified = await withAuthenticator(page)
  const seller = await signedUp(page)
  await page.goto('/profile')
  await page.getByRole('main').getByRole('link', { name: 'Security' }).click()
  await expect(page.getByText('You have no passkeys yet.')).toBeVisible()
  await addPasskey(page, 'not the password')
  await expect(page.getByLabel('Your password')).toHaveAttribute('aria-invalid', 'true')
  await page.getByLabel('Your password').fill(seller.password)
  await setVerified(false)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expectToast(page, 'Passkey not added', 'You canceled, or your device took too long.')
  await setVerified(true)
  await page.getByRole('button', { name: 'Continue' }).click()
  await expectToast(page, 'Passkey added')
  const list = page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')
  await expect(list).toContainText('Not used yet')
  await expectAccessibleInBothThemes(page)

  await addPasskey(page, seller.password)
  await expectToast(page, 'Passkey not added', 'This device already has a passkey for your account.')
  await page.getByRole('button', { name: 'Cancel' }).click()

  await page.request.post('/api/auth/logout')
  await page.goto('/account/security')
  const signIn = page.getByRole('button', { name: 'Sign In with a Passkey' })
  await setVerified(false)
  await signIn.click()
  await expectToast(page, 'Login failed', 'No passkey was used.')
  await setVerified(true)
  await signIn.click()
  await expectToast(page, 'Welcome back!')
  await expect(page).toHaveURL('/account/security')
  await expect(list).toContainText('Last used')

  await list.getByRole('button', { name: /^Remove passkey/ }).click()
  await page.getByLabel('Your password').fill(seller.password)
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expectToast(page, 'Passkey removed')
  await expect(page.getByText('You have no passkeys yet.')).toBeVisible()
  await page.request.post('/api/auth/logout')
  await page.goto('/login')
  await signIn.click()
  await expectToast(page, 'Login failed', 'This passkey cannot sign you in here.')
})

test('an administrator adds a passkey and signs in with it', async ({ staffPage, database }) => {
  await withAuthenticator(staffPage)
  const administrator = await newAdministrator(database)
  await signedIn(staffPage, administrator)
  await staffPage.goto('/admin/security')
  await addPasskey(staffPage, administrator.password)
  await expectToast(staffPage, 'Passkey added')
  await expect(staffPage.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')).toHaveCount(1)
  await expectAccessible(staffPage)
  await staffPage.getByRole('button', { name: 'Logout' }).click()
  await staffPage.getByRole('button', { name: 'Sign In with a Passkey' }).click()
  await expectToast(staffPage, 'Login Successful')
  await expect(staffPage).toHaveURL('/admin/security')
})

async function addPasskey(page: Page, password: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByLabel('Your password').fill(password)
  await page.getByRole('button', { name: 'Continue' }).click()
}

/** Gives the browser a fingerprint reader. @returns a function that makes it recognize the person or not */
async function withAuthenticator(page: Page): Promise<(verified: boolean) => Promise<void>> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return async (isUserVerified) => {
    await session.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified })
  }
}
