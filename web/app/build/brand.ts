import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import type { Brand } from '../../../brand/brand.ts'
import { toCss } from '../../../brand/tokens.ts'
import type { ShopBrand } from '../../../domain/shop-brand.ts'

const THEME = /\/web\/app\/document\.css(\?|$)/

/**
 * Gives the app its brand: the colors in the theme, `shopBrand` (web/words/shop-brand.ts), and the logo in every document.
 * The content security policy lets no script insert a drawing as text.
 */
export function brandInApp(brand: Brand): Plugin {
  const { name, logo, support, openingHours, company, claims, payoutMethods, themes } = brand
  const shopBrand: Omit<ShopBrand, 'claims' | 'openingHours'> = {
    name,
    logo: { viewBox: logo.viewBox },
    support,
    company,
    payoutMethods,
  }
  const drawing = `<svg aria-hidden="true" class="absolute size-0"><defs><g id="logo">${logo.content}</g></defs></svg>`
  return {
    name: 'unspent:brand-in-app',
    enforce: 'pre',
    config: () => ({
      define: {
        __SHOP_BRAND__: JSON.stringify(shopBrand),
        __SHOP_CLAIMS__: JSON.stringify(claims),
        __OPENING_HOURS__: JSON.stringify(openingHours ?? null),
      },
    }),
    transformIndexHtml: (html) => html.replace('<div id="root">', (root) => `${drawing}\n    ${root}`),
    transform: (code, id) => (THEME.test(id) ? code + toCss(themes) : undefined),
  }
}

/** Serves the brand's pictures at the root of the site. */
export function brandPictures({ favicon, sharePicture }: Brand): Plugin {
  const files: Record<string, string | Buffer> = {
    'favicon.svg': favicon,
    ...(sharePicture && { 'share.png': readFileSync(sharePicture) }),
  }
  return {
    name: 'unspent:brand-pictures',
    generateBundle() {
      for (const [fileName, source] of Object.entries(files))
        this.emitFile({ type: 'asset', fileName, source })
    },
    configureServer({ middlewares }) {
      middlewares.use('/favicon.svg', (_request, response) => {
        response.setHeader('content-type', 'image/svg+xml').end(favicon)
      })
    },
  }
}
