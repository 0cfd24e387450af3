import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { screenList } from '#contract/screens.ts'
import { maskCards } from '#domain/card-number.ts'
import { naughtyStrings } from '../security/hostile/naughty-strings.ts'
import { appSettled, expect, listen, test } from './fixtures.ts'
import { expectMarkupRefused, expectStrictPolicy } from './policy.ts'
import { asStaff, forgive, signedUp } from './sellers.ts'

/** What the console says when the page's policy blocks something. */
const STOPPED =
  /Content Security Policy|TrustedHTML|frame-ancestors|violates the following|WebSocket|net::ERR|Refused/i

test('screens for staff have a strict policy and do not violate it', async ({ page, complaints }) => {
  await asStaff(page)
  for (const { path } of screenList.filter(({ audience }) => audience === 'staff')) {
    expectStrictPolicy(await page.goto(path))
    await appSettled(page)
    await expect(page.getByRole('heading').first(), path).toBeVisible()
  }
  await expectMarkupRefused(page, complaints)
})

/** One of each kind. All others are cases of web/wire/return-address.test.ts. */
const tricks = [
  'https://evil.example/',
  '/\\evil.example/',
  '/\t/evil.example/',
  'javascript:alert(document.cookie)',
]

test('a stored return address never leads to another site', async ({ browser, page, site, complaints }) => {
  const seller = await signedUp(page)
  const opened: string[] = []
  const follow = async (trick: string) => {
    const context = await browser.newContext({ baseURL: site })
    listen(context, complaints)
    const victim = await context.newPage()
    victim.on('dialog', (dialog) => {
      opened.push(`dialog ${dialog.message()}`)
      void dialog.dismiss()
    })
    victim.on('framenavigated', (frame) => opened.push(frame.url()))
    await victim.goto(`/login?redirect=${encodeURIComponent(trick)}&next=${encodeURIComponent(trick)}`)
    await victim.evaluate((address) => sessionStorage.setItem('redirectAfterLogin', address), trick)
    // The app moves the form down on the way to another page: a press during that misses the button.
    await victim.reload()
    await expect(victim.getByText('create an account to continue')).toBeVisible()
    await victim.getByLabel('Email').fill(seller.email)
    await victim.getByLabel('Password').fill(seller.password)
    await victim
      .getByRole('main')
      .getByRole('button', { name: /sign in/i })
      .click()
    await expect(victim, trick).not.toHaveURL(/\/login/)
    await victim.waitForLoadState('networkidle')
    expect(new URL(victim.url()).origin, trick).toBe(site)
    await context.close()
  }
  // Each mostly waits until the network is idle.
  await Promise.all(tricks.map(follow))
  expect(opened.filter((url) => !url.startsWith(site))).toEqual([])
  forgive(complaints, /Failed to load resource/)
})

/** An attacker's page. Another port is the same site, so cookies are sent along. */
async function evilPage(site: string): Promise<{ url: string; close: () => void }> {
  const html = `<!doctype html><title>evil</title>
<form id="f" method="post" action="${site}/api/auth/logout" enctype="text/plain" target="t"><input name="a" value="b"></form>
<iframe name="t"></iframe><iframe id="framed" src="${site}/profile"></iframe><img id="img" src="${site}/favicon.svg">
<script>
  window.done = (async () => {
    const results = {}
    const send = (name, path, init) => fetch('${site}' + path, { credentials: 'include', mode: 'no-cors', ...init })
      .then((r) => { results[name] = r.type }, () => { results[name] = 'failed' })
    await send('logout', '/api/auth/logout', { method: 'POST' })
    await send('sessions', '/api/user/sessions', { method: 'POST', body: new URLSearchParams({ a: 1 }) })
    await send('withdraw', '/api/chat/messages', { method: 'POST', body: '{"message":"forged"}', headers: { 'content-type': 'text/plain' } })
    await fetch('${site}/api/auth/me', { credentials: 'include' }).then(async (r) => { results.read = await r.text() }, () => { results.read = 'failed' })
    await fetch('${site}/api/user/sessions', { method: 'DELETE', credentials: 'include' }).then(() => { results.delete = 'sent' }, () => { results.delete = 'failed' })
    results.socket = await new Promise((resolve) => {
      const socket = new WebSocket('${site.replace('http', 'ws')}/ws')
      socket.onopen = () => resolve('open')
      socket.onerror = () => resolve('refused')
    })
    document.getElementById('f').submit()
    await new Promise((resolve) => { document.querySelector('iframe[name=t]').onload = resolve })
    return results
  })()
</script>`
  const server = createServer((_request, response) =>
    response.setHeader('content-type', 'text/html').end(html),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => void server.close(),
  }
}

test('a page of another origin can neither act as a seller nor read', async ({ page, site, complaints }) => {
  await signedUp(page)
  const evil = await evilPage(site)
  const other = await page.context().newPage()
  await other.goto(evil.url)
  const results = await other.evaluate(
    () => (window as unknown as { done: Promise<Record<string, string>> }).done,
  )
  expect(results).toMatchObject({ read: 'failed', delete: 'failed', socket: 'refused' })
  const framed = other.frames().find((frame) => frame.url().includes('/profile'))
  expect((await framed?.title().catch(() => '')) ?? '').not.toContain('Profile')
  evil.close()
  await other.close()
  expect((await page.request.get('/api/auth/me')).status()).toBe(200)
  expect(await (await page.request.get('/api/chat/messages')).json()).toEqual([])
  forgive(complaints, STOPPED)
  forgive(complaints, /CORS|ERR_|Failed to load/)
})

async function writeToStaff(page: Page, texts: readonly string[]): Promise<string[]> {
  const taken: string[] = []
  for (const text of texts) {
    const answer = await page.request.post('/api/chat/messages', { data: { message: text } })
    if (answer.status() === 201) taken.push(text.trim())
    else expect(answer.status(), JSON.stringify(text)).toBe(400)
  }
  return taken
}

test('a chat shows naughty strings as plain text', async ({ page, staffPage }) => {
  const seller = await signedUp(page)
  const told: string[] = []
  const markup = naughtyStrings.filter(
    (text) => /[<>&"'{]|\p{Cf}|\p{M}|[^\p{ASCII}]/u.test(text) && text.length < 400,
  )
  const taken = await writeToStaff(page, markup.filter((_, index) => index % 3 === 0).slice(0, 120))
  expect(taken.length).toBeGreaterThan(50)
  staffPage.on('dialog', (dialog) => {
    told.push(dialog.message())
    void dialog.dismiss()
  })
  await asStaff(staffPage)
  await staffPage.goto('/admin/chat')
  await staffPage.getByText(seller.username).first().click()
  const shown = () =>
    staffPage.evaluate(() =>
      [...document.querySelectorAll('main *, [role=log] *')].map((element) => element.textContent),
    )
  const missing = async () => {
    const texts = new Set(await shown())
    return taken.filter((text) => !texts.has(maskCards(text)))
  }
  await expect.poll(missing).toEqual([])
  expect(told).toEqual([])
  expect(await staffPage.evaluate(() => document.querySelectorAll('main script, main iframe').length)).toBe(0)
})
