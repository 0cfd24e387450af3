import { FIGURES_MARK, ORIGIN_MARK } from '#contract/screens.ts'
import { type Locale, locales, withLocale } from '#words/locales.ts'

interface Page {
  locale: Locale
  title: string
  /** What browsers without JavaScript show above the page. */
  noScript: string
  content: string
  /** Only for pages that search engines may list. */
  card?: Card
  prerendered: boolean
  /** Files that the first rendering needs, relative to the site's root. */
  scripts: readonly string[]
  /** Style sheets that the first rendering needs besides `style`, relative to the site's root. */
  styles?: readonly string[]
  style: string
  /** Whether the server fills in figures of the database. */
  hasFigures: boolean
  /** Scripts that run before the first paint. */
  early: readonly string[]
}

/** How a link to the page is presented elsewhere. */
interface Card {
  path: string
  description: string
  siteName: string
  tagline: string
  /** Whether there is a share.png. */
  hasPicture: boolean
}

/** Fills in the built index.html. */
export function fillTemplate(template: string, page: Page): string {
  const root = '<div id="root"></div>'
  if (!template.includes(root)) throw new Error(`index.html has no ${root}`)
  const attributes = page.prerendered ? ' data-prerendered' : ''
  // Functions, because "$&" in a replacement string has a meaning.
  return template
    .replace('<html lang="en">', `<html lang="${page.locale}">`)
    .replace(NO_SCRIPT, () => escapeHtml(page.noScript))
    .replace(ENTRY, (scripts) => (page.content ? afterFirstPaint(scripts, page) : scripts))
    .replace('</head>', () => `${head(page).join('\n    ')}\n  </head>`)
    .replace(root, () => `<div id="root"${attributes}>${page.content}</div>`)
}

const NO_SCRIPT = '{{noScript}}'

/** The script of the app, and the links to what it imports. */
const ENTRY = /<script type="module" crossorigin src="[^"]+"><\/script>(\s*<link rel="modulepreload"[^>]*>)*/

/**
 * Fetches and starts the app of a prerendered page with the first frame: what the page needs to look right has the
 * connection to itself. A hidden page, which is never painted, starts at once.
 */
function afterFirstPaint(entry: string, { scripts }: Page): string {
  const linked = [...entry.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file = '']) => file)
  const files = [...new Set([...linked, ...scripts.map((file) => `/${file}`)])]
  const start = `const start=()=>{${preload(files)};import("${files[0]}")};document.hidden?start():requestAnimationFrame(()=>setTimeout(start))`
  return `<script type="module">${start}</script>`
}

/** A statement that fetches scripts. */
function preload(files: readonly string[]): string {
  return `${JSON.stringify(files)}.map(href=>document.head.append(Object.assign(document.createElement("link"),{rel:"modulepreload",href})))`
}

function head(page: Page): string[] {
  const { title, card, scripts, styles = [], content, style, early, locale, hasFigures } = page
  // As links, browsers would request the scripts before the calls of an early script, which the screen needs as much.
  const first =
    content || scripts.length === 0 ? early : [...early, preload(scripts.map((file) => `/${file}`))]
  return [
    ...first.map((script) => `<script>${script}</script>`),
    `<style>${style}</style>`,
    `<title>${escapeHtml(title)}</title>`,
    ...(hasFigures ? [`<meta name="figures" content="${FIGURES_MARK}" />`] : []),
    ...(card ? forSearch(title, card, locale) : ['<meta name="robots" content="noindex" />']),
    ...styles.map((file) => `<link rel="stylesheet" href="/${file}" />`),
  ]
}

function forSearch(title: string, card: Card, locale: Locale): string[] {
  const { path, description, siteName, tagline, hasPicture } = card
  const addressIn = (language: Locale) => `${ORIGIN_MARK}${withLocale(language, path)}`
  const address = addressIn(locale)
  const properties = {
    'og:type': 'website',
    'og:site_name': siteName,
    'og:title': title,
    'og:description': description,
    'og:url': address,
    ...(hasPicture && {
      'og:image': `${ORIGIN_MARK}/share.png`,
      'og:image:width': '1200',
      'og:image:height': '630',
      'og:image:alt': tagline,
    }),
  }
  return [
    `<meta name="description" content="${escapeHtml(description)}" />`,
    `<link rel="canonical" href="${address}" />`,
    ...locales.map((other) => `<link rel="alternate" hreflang="${other}" href="${addressIn(other)}" />`),
    `<link rel="alternate" hreflang="x-default" href="${addressIn('en')}" />`,
    ...Object.entries(properties).map(
      ([name, content]) => `<meta property="${name}" content="${escapeHtml(content)}" />`,
    ),
    `<meta name="twitter:card" content="${hasPicture ? 'summary_large_image' : 'summary'}" />`,
  ]
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
