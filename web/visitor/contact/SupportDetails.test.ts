import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type BrandSettings, readBrand } from '#brand/brand.ts'

// Test files share modules: another file may have loaded these with the brand of this build.
beforeEach(() => {
  vi.resetModules()
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** Renders as a build with these settings would. */
async function render(settings: BrandSettings): Promise<string> {
  vi.stubGlobal('__SHOP_BRAND__', readBrand(undefined, settings))
  const { StaticRouter } = await import('#web/kit/router/index.ts')
  const { loadWords } = await import('#web/words/words.ts')
  await loadWords('visitor')
  const { SupportDetails } = await import('./SupportDetails.tsx')
  return renderToStaticMarkup(
    createElement(StaticRouter, { pathname: '/contact', children: createElement(SupportDetails) }),
  )
}

it('shows the contact details of the settings', async () => {
  const html = await render({
    email: 'help@shop.example',
    phone: '+1 (212) 555-0100',
    hours: 'Daily, 8 AM - 8 PM',
  })
  expect(html).toContain('href="mailto:help@shop.example"')
  expect(html).toContain('href="tel:+12125550100"')
  expect(html).toContain('Daily, 8 AM - 8 PM')
})

it('shows no address or number while they are unset', async () => {
  const html = await render({})
  expect(html).not.toMatch(/mailto:|tel:|Support details/)
  expect(html).toContain('Mon-Fri, 9 AM - 6 PM EST')
})
