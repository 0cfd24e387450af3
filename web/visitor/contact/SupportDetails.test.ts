import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, it, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.resetModules()
})

/** Renders as a build with these settings would. */
async function render(settings: Record<string, string>): Promise<string> {
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  const { StaticRouter } = await import('#web/kit/router/index.ts')
  const { SupportDetails } = await import('./SupportDetails.tsx')
  return renderToStaticMarkup(
    createElement(StaticRouter, { pathname: '/contact', children: createElement(SupportDetails) }),
  )
}

it('shows the contact details of the settings', async () => {
  const html = await render({
    SUPPORT_EMAIL: 'help@shop.example',
    SUPPORT_PHONE: '+1 (212) 555-0100',
    SUPPORT_HOURS: 'Daily, 8 AM - 8 PM',
  })
  expect(html).toContain('href="mailto:help@shop.example"')
  expect(html).toContain('href="tel:+12125550100"')
  expect(html).toContain('Daily, 8 AM - 8 PM')
})

it('shows no address or number while they are unset', async () => {
  const html = await render({ SUPPORT_EMAIL: '', SUPPORT_PHONE: '', SUPPORT_HOURS: '' })
  expect(html).not.toMatch(/mailto:|tel:|Support details/)
  expect(html).toContain('Mon-Fri, 9 AM - 6 PM EST')
})
