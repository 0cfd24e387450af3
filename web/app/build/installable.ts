import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { minify, type Plugin } from 'vite'
import type { Brand } from '#brand/brand.ts'
import { toCss } from '#brand/tokens.ts'
import { OFFLINE_PATH, pageFiles } from '#contract/screens.ts'
import { type BrandWords, readWords } from '#words/catalogs.ts'
import { locales, withLocale } from '#words/locales.ts'
import type { Translate } from '#words/translate.ts'
import { appIcons, hexOf } from './icons.ts'

const workerSource = fileURLToPath(new URL('../service-worker.js', import.meta.url))

/** What makes the site an app that can be installed: manifests, icons, the offline pages and the service worker. */
export function installableApp(brand: Brand, brandWords: BrandWords): Plugin {
  return {
    name: 'unspent:installable',
    apply: 'build',
    async generateBundle() {
      const words = readWords(brandWords)
      const add = (fileName: string, source: string | Buffer) =>
        this.emitFile({ type: 'asset', fileName, source })
      for (const [name, icon] of await appIcons(brand)) add(name, icon)
      const pages = locales.map((locale) => offlinePage(words[locale], brand))
      for (const [index, locale] of locales.entries()) {
        add(`manifest.${locale}.webmanifest`, JSON.stringify(manifest(words[locale], brand)))
        add(pageFiles.offline(locale), pages[index] ?? '')
      }
      add('service-worker.js', await serviceWorker(pages))
    },
  }
}

/** The part of the web app manifest that differs by language and brand, and what it needs: https://www.w3.org/TR/appmanifest/ */
function manifest(t: Translate, { name, themes }: Brand) {
  const color = hexOf(themes.light.page ?? '')
  const icon = (src: string, sizes: string, purpose = 'any') => ({ src, sizes, type: 'image/png', purpose })
  return {
    // The same app in every language.
    id: '/account',
    name,
    short_name: name,
    description: t('documents.tagline'),
    lang: t.locale,
    start_url: withLocale(t.locale, '/account'),
    scope: '/',
    display: 'standalone',
    background_color: color,
    theme_color: color,
    icons: [
      icon('/icon-192.png', '192x192'),
      icon('/icon-512.png', '512x512'),
      icon('/icon-maskable-512.png', '512x512', 'maskable'),
    ],
  }
}

/** Shown by the service worker at any address. It fetches nothing, and loads again once there is a connection. */
function offlinePage(t: Translate, { themes, drawings: { lost } }: Brand): string {
  return `<!doctype html>
<html lang="${t.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${t('documents.offline.title')}</title>
<style>${toCss(themes)}${OFFLINE_STYLE}</style>
<script>${OFFLINE_SCRIPT}</script>
</head>
<body>
<main>
${lost ? `<svg aria-hidden="true" viewBox="${lost.viewBox}"><g stroke="none">${lost.content}</g></svg>` : DRAWING}
<h1>${t('documents.offline.title')}</h1>
<p>${t('documents.offline.text')}</p>
<p><a href="">${t('documents.offline.retry')}</a></p>
</main>
</body>
</html>
`
}

/** The scene "lost" of web/cards/CardArt.tsx. */
const DRAWING = `<svg aria-hidden="true" viewBox="0 0 160 116">
<g transform="rotate(-8 80 50)"><rect x="24" y="14" width="112" height="84" rx="14" fill="var(--surface)"/><path d="M24 56h70v42" stroke-width="3" stroke-dasharray="7 7" stroke="var(--control)"/></g>
<path transform="translate(-22 38) rotate(12 40 70)" d="M24 56h70v42H38a14 14 0 0 1-14-14z" fill="var(--gold)"/>
</svg>`

const OFFLINE_STYLE = `
body{display:flex;flex-direction:column;min-height:100dvh;margin:0;background:var(--page);color:var(--ink);font:1.125rem/1.5 system-ui,sans-serif;text-align:center;text-wrap:balance}
aside{padding:.5rem 1rem;background:var(--info-quiet);color:var(--info);font-size:.8125rem;line-height:1.25}
main{max-width:28rem;margin:auto;padding:2rem 1.25rem}
svg{height:8rem;overflow:visible;fill:none;stroke:var(--ink);stroke-width:4;stroke-linecap:round;stroke-linejoin:round}
h1{margin:3.25rem 0 .5rem;font-size:2rem;line-height:1.2}
p{margin:0 0 1.5rem;color:var(--soft)}
a{display:inline-block;padding:.75rem 1.25rem;border-radius:.625rem;background:var(--accent);color:var(--on-accent);font-weight:600;text-decoration:none}
`

/** Waits a second, because a weak connection comes and goes, and a reload would end a navigation that has just begun. */
const OFFLINE_SCRIPT = `try{if(localStorage.getItem('theme')==='dark')document.documentElement.classList.add('dark')}catch{}
addEventListener('online',()=>setTimeout(()=>navigator.onLine&&location.reload(),1000))`

/** @param pages the offline pages, by which the worker's cache is named */
async function serviceWorker(pages: readonly string[]): Promise<string> {
  const version = createHash('sha256').update(pages.join('')).digest('hex').slice(0, 8)
  const addresses = locales.map((locale) => withLocale(locale, OFFLINE_PATH))
  const source = (await readFile(workerSource, 'utf8'))
    .replace('{{version}}', version)
    .replace('{{pages}}', addresses.join("','"))
  const { code, errors } = await minify('service-worker.js', source)
  if (errors.length > 0) throw new Error(`web/app/service-worker.js is not valid: ${errors[0]?.message}`)
  return code
}
