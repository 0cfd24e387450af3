import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import type { Brand } from '../../../brand/brand.ts'
import { OWN_FAMILY } from '../../../brand/type.ts'

const path = '/kit/typeface/bricolage-grotesque.woff2'
const THEME = /\/web\/app\/document\.css(\?|$)/

/**
 * Serves the typeface under a name with a hash of its content, and preloads it. Documents inline the styles, so its address
 * must be the same in both builds (web/app/build/prerender.ts).
 */
export function typeface(command: 'build' | 'serve', { type }: Pick<Brand, 'type'>): Plugin | undefined {
  // The brand is set in fonts of the device.
  if (type && !type.file) return undefined
  const file = type?.file ?? fileURLToPath(new URL(`../..${path}`, import.meta.url))
  const source = readFileSync(file)
  const version = createHash('sha256').update(source).digest('hex').slice(0, 8)
  const fileName = `assets/${type ? 'typeface' : 'bricolage-grotesque'}-${version}.woff2`
  const address = command === 'build' || type ? `/${fileName}` : path
  const face = type
    ? fontFace(OWN_FAMILY, '100 900', address)
    : fontFace('Bricolage Grotesque', '400 750', address)
  return {
    name: 'unspent:typeface',
    enforce: 'pre',
    // Vite would warn that it cannot find the file.
    config: () => ({ build: { rolldownOptions: { external: [address] } } }),
    transform: (code, id) => (THEME.test(id) ? code + face : undefined),
    transformIndexHtml: () => [
      {
        tag: 'link',
        attrs: { rel: 'preload', href: address, as: 'font', type: 'font/woff2', crossorigin: true },
        injectTo: 'head',
      },
    ],
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source })
    },
    configureServer({ middlewares }) {
      middlewares.use(`/${fileName}`, (_request, response) => void response.end(source))
    },
  }
}

const fontFace = (family: string, weights: string, address: string) => `
@font-face {
  font-family: "${family}";
  font-weight: ${weights};
  font-display: swap;
  src: url("${address}") format("woff2");
}
`
