import { ORIGIN_MARK } from '#contract/screens.ts'

interface Page {
  title: string
  content: string
  /** Only for pages that search engines may list. */
  card?: Card
  prerendered: boolean
  /** Files that the first rendering needs, relative to the site's root. */
  scripts: readonly string[]
  style: string
  /** Scripts that run before the first paint. */
  early: readonly string[]
}

/** How a link to the page is presented elsewhere. */
interface Card {
  path: string
  description: string
  siteName: string
  tagline: string
}

/** Fills in the built index.html. */
export function fillTemplate(template: string, page: Page): string {
  const root = '<div id="root"></div>'
  if (!template.includes(root)) throw new Error(`index.html has no ${root}`)
  const attributes = page.prerendered ? ' data-prerendered' : ''
  // Functions, because "$&" in a replacement string has a meaning.
  return template
    .replace(ENTRY, (script, file: string) => (page.content ? afterFirstPaint(file) : script))
    .replace('</head>', () => `${head(page).join('\n    ')}\n  </head>`)
    .replace(root, () => `<div id="root"${attributes}>${page.content}</div>`)
}

const ENTRY = /<script type="module" crossorigin src="([^"]+)"><\/script>/

/**
 * Starts the app of a prerendered page after the first paint, even if all scripts arrive before it. A hidden page, which
 * is never painted, starts at once.
 */
function afterFirstPaint(file: string): string {
  const start = `const start=()=>import("${file}");document.hidden?start():requestAnimationFrame(()=>setTimeout(start))`
  return `<link rel="modulepreload" crossorigin fetchpriority="low" href="${file}" />
    <script type="module">${start}</script>`
}

/** A prerendered page fetches its scripts after what it needs to look right. */
function priorityOf({ content }: Page): string {
  return content ? ' fetchpriority="low"' : ''
}

function head(page: Page): string[] {
  const { title, card, scripts, style, early } = page
  const preload = `<link rel="modulepreload" crossorigin${priorityOf(page)}`
  return [
    ...early.map((script) => `<script>${script}</script>`),
    `<style>${style}</style>`,
    `<title>${escapeHtml(title)}</title>`,
    ...(card ? forSearch(title, card) : ['<meta name="robots" content="noindex" />']),
    ...new Set(scripts.map((file) => `${preload} href="/${file}" />`)),
  ]
}

function forSearch(title: string, { path, description, siteName, tagline }: Card): string[] {
  const address = `${ORIGIN_MARK}${path}`
  const properties = {
    'og:type': 'website',
    'og:site_name': siteName,
    'og:title': title,
    'og:description': description,
    'og:url': address,
    'og:image': `${ORIGIN_MARK}/share.png`,
    'og:image:width': '1200',
    'og:image:height': '630',
    'og:image:alt': tagline,
  }
  return [
    `<meta name="description" content="${escapeHtml(description)}" />`,
    `<link rel="canonical" href="${address}" />`,
    ...Object.entries(properties).map(
      ([name, content]) => `<meta property="${name}" content="${escapeHtml(content)}" />`,
    ),
    '<meta name="twitter:card" content="summary_large_image" />',
  ]
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
