import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'
import type { Brand } from '../../../brand/brand.ts'
import { toCss } from '../../../brand/tokens.ts'
import type { ShopBrand, ShopDrawings } from '../../../domain/shop-brand.ts'

const THEME = /\/web\/app\/document\.css(\?|$)/
/** Styles with classes of their own, which need the brand's corners too. */
const STYLES = /\/web\/(app\/document|staff\/shell\/staff)\.css(\?|$)/

/**
 * Gives the app its brand: colors, type and corners in the theme, `shopBrand` (web/words/shop-brand.ts), and the logo in every document.
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
  const drawings = drawingsFile(brand)
  return {
    name: 'unspent:brand-in-app',
    enforce: 'pre',
    config: () => ({
      define: {
        __SHOP_BRAND__: JSON.stringify(shopBrand),
        __SHOP_CLAIMS__: JSON.stringify(claims),
        __OPENING_HOURS__: JSON.stringify(openingHours ?? null),
        __SHOP_HERO__: JSON.stringify(brand.hero),
        __SHOP_DRAWINGS__: JSON.stringify(drawings ? drawings.shop : null),
      },
    }),
    transformIndexHtml: (html) => html.replace('<div id="root">', (root) => `${drawing}\n    ${root}`),
    transform: (code, id) =>
      STYLES.test(id)
        ? [code, toTheme(brand), ...(THEME.test(id) ? [toHeadings(brand), toCss(themes)] : [])].join('')
        : undefined,
    generateBundle() {
      if (drawings) this.emitFile({ type: 'asset', fileName: drawings.fileName, source: drawings.source })
    },
    configureServer({ middlewares }) {
      if (drawings)
        middlewares.use(drawings.shop.address, (_request, response) => {
          response.setHeader('content-type', 'image/svg+xml').end(drawings.source)
        })
    },
  }
}

/** Shares of the largest corners. The names are not written out: Tailwind would read them here as used. */
const CORNERS = { sm: 0.375, md: 0.625, lg: 1, chip: 1 }

/** What the brand sets otherwise than web/kit/theme.css. */
function toTheme({ type, radius }: Brand): string {
  const corners = Object.entries(radius === undefined ? {} : CORNERS)
  const values = [
    ...(type ? [`--font-sans:${type.text}`] : []),
    ...corners.map(([size, share]) => `--radius-${size}:${(radius ?? 0) * share}px`),
  ]
  return values.length > 0 ? `@theme inline{${values.join(';')}}` : ''
}

function toHeadings({ type }: Brand): string {
  return type && type.headings !== type.text ? `h1,h2,h3{font-family:${type.headings}}` : ''
}

/** One file with the brand's own drawings, which pages show by name (web/kit/Logo.tsx). */
function drawingsFile({ drawings }: Brand) {
  const own = Object.entries(drawings)
  if (own.length === 0) return undefined
  const parts = own.map(([name, { content }]) => `<g id="${name}">${content}</g>`)
  const source = `<svg xmlns="http://www.w3.org/2000/svg"><defs>${parts.join('')}</defs></svg>\n`
  const version = createHash('sha256').update(source).digest('hex').slice(0, 8)
  const fileName = `assets/drawings-${version}.svg`
  const viewBoxes = Object.fromEntries(own.map(([name, { viewBox }]) => [name, viewBox]))
  const shop: ShopDrawings = { address: `/${fileName}`, viewBoxes }
  return { source, fileName, shop }
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
