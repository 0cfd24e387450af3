import { type ReactNode, StrictMode } from 'react'
import { prerender } from 'react-dom/static'
import type { IndexedScreen, ScreenName } from '#contract/screens.ts'
import { type Bundle, loadScreens, type Route, Routes, StaticRouter } from '#web/kit/router/index.ts'
import { Waiting } from '#web/kit/Skeleton.tsx'
import { createQueryClient } from '#web/wire/read.ts'
import { shopBrand } from '#web/words/shop-brand.ts'
import { loadWords, readWords, setLocale, translate } from '#web/words/words.ts'
import type { Locale } from '#words/locales.ts'
import type { Messages } from '#words/translate.ts'
import documentStyle from './document.css?inline'
import { Root } from './layout/Root.tsx'
import { SiteLayout } from './layout/SiteLayout.tsx'
import { createRoutes } from './routes.tsx'
import { sellerArea, sellerScreens } from './seller-screens.ts'
import { staffScreens } from './staff-screens.ts'

interface RenderedScreen {
  title: string
  /** The content of the root element, as the browser first renders it. */
  content: string
  /** The files of its components, below web/. */
  files: string[]
  words: Record<string, Messages>
}

/** Renders the screens that follow in this language. */
export async function renderIn(locale: Locale): Promise<void> {
  await setLocale(locale)
  await loadWords(['site', 'documents'])
}

/** Renders a screen as a visitor's browser first does, before it knows who is signed in. */
export async function renderScreen(pathname: string): Promise<RenderedScreen> {
  const routes = createRoutes(createQueryClient())
  const { components, words } = await loadScreens(routes, pathname)
  const { title, content } = await render(pathname, routes)
  const files = components.map(fileOf)
  return { title: decode(title), content, files, words: await readWords(['site', ...words]) }
}

/** The files of the components at an address, below web/. */
export async function filesOf(pathname: string): Promise<string[]> {
  return (await loadScreens(createRoutes(createQueryClient()), pathname)).components.map(fileOf)
}

/** The texts of a screen for people who are signed in. */
export async function wordsOf(name: ScreenName): Promise<RenderedScreen['words']> {
  const bundles: Partial<Record<ScreenName, Bundle>> = { ...sellerScreens, ...staffScreens }
  const ofArea = name in sellerScreens ? sellerArea.words : []
  return await readWords(['site', ...ofArea, ...(bundles[name]?.words ?? [])])
}

export const style = documentStyle
export const siteName = shopBrand.name

/** What search results and shared links say about a screen. About 155 characters are shown. */
export const descriptionOf = (screen: IndexedScreen) => translate()(`documents.${screen}`)
export const tagline = () => translate()('documents.tagline')
/** For browsers without JavaScript. */
export const noScript = () => translate()('documents.noScript')

/** Renders the layout around a screen that only the browser can render. */
export async function renderLayout(): Promise<Pick<RenderedScreen, 'content' | 'words'>> {
  const Base = () => <Root client={createQueryClient()} />
  const Loading = () => <Waiting>{translate()('site.loading')}</Waiting>
  const { content } = await render('/', [{ path: '/', components: [Base, SiteLayout, Loading] }])
  return { content, words: await readWords(['site']) }
}

async function render(pathname: string, routes: Route[]): Promise<{ title: string; content: string }> {
  const html = await toHtml(
    <StrictMode>
      <StaticRouter pathname={pathname}>
        <Routes routes={routes} />
      </StaticRouter>
    </StrictMode>,
  )
  // React puts what belongs in the head first.
  const [, title = '', content = ''] = /^(?:<title>(.*?)<\/title>)?(.*)$/s.exec(html) ?? []
  return { title, content }
}

async function toHtml(node: ReactNode): Promise<string> {
  // By default, inline scripts would move larger parts into place; the content security policy refuses those.
  const { prelude } = await prerender(node, {
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => {
      throw error
    },
  })
  return await new Response(prelude).text()
}

/** Undoes React's escaping of the title, because the template escapes it again. */
function decode(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
}

/** The build adds the file name to each screen. */
function fileOf(screen: unknown): string {
  const file = (screen as { file?: string }).file
  if (!file)
    throw new Error('A screen must be the default export of its file: export default function Name()')
  return file
}
