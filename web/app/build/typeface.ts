import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const path = '/kit/typeface/bricolage-grotesque.woff2'
const THEME = /\/web\/app\/document\.css(\?|$)/

/**
 * Serves the typeface under a name with a hash of its content, and preloads it. Documents inline the styles, so its address
 * must be the same in both builds (web/app/build/prerender.ts).
 */
export function typeface(command: 'build' | 'serve'): Plugin {
  const source = readFileSync(fileURLToPath(new URL(`../..${path}`, import.meta.url)))
  const version = createHash('sha256').update(source).digest('hex').slice(0, 8)
  const fileName = `assets/bricolage-grotesque-${version}.woff2`
  const address = command === 'build' ? `/${fileName}` : path
  return {
    name: 'unspent:typeface',
    enforce: 'pre',
    // Vite would warn that it cannot find the file.
    config: () => ({ build: { rolldownOptions: { external: [address] } } }),
    transform: (code, id) => (THEME.test(id) ? code + fontFace(address) : undefined),
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
  }
}

const fontFace = (address: string) => `
@font-face {
  font-family: "Bricolage Grotesque";
  font-weight: 400 750;
  font-display: swap;
  src: url("${address}") format("woff2");
}
`
