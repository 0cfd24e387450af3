import { type ReactNode, StrictMode } from 'react'
import { prerender } from 'react-dom/static'
import { loadScreens, type Route, Routes, StaticRouter } from '#web/kit/router/index.ts'
import { Waiting } from '#web/kit/Skeleton.tsx'
import { createQueryClient } from '#web/wire/read.ts'
import { loadWords, setLocale, translate } from '#web/words/words.ts'
import type { Locale } from '#words/locales.ts'
import documentStyle from './document.css?inline'
import { Root } from './layout/Root.tsx'
import { SiteLayout } from './layout/SiteLayout.tsx'
import { createRoutes } from './routes.tsx'

interface RenderedScreen {
  title: string
  /** The content of the root element, as the browser first renders it. */
  content: string
  /** The files of its components, below web/. */
  files: string[]
}

/** Renders the screens that follow in this language. */
export async function renderIn(locale: Locale): Promise<void> {
  await setLocale(locale)
  await loadWords('visitor')
}

/** Renders a screen as a visitor's browser first does, before it knows who is signed in. */
export async function renderScreen(pathname: string): Promise<RenderedScreen> {
  const routes = createRoutes(createQueryClient())
  const files = (await loadScreens(routes, pathname)).map(fileOf)
  const { title, content } = await render(pathname, routes)
  return { title: decode(title), content, files }
}

/** The files of the components at an address, below web/. */
export async function filesOf(pathname: string): Promise<string[]> {
  return (await loadScreens(createRoutes(createQueryClient()), pathname)).map(fileOf)
}

export const style = documentStyle

/** Renders the layout around a screen that only the browser can render. @returns its content */
export async function renderLayout(): Promise<string> {
  const Base = () => <Root client={createQueryClient()} />
  const Loading = () => <Waiting>{translate()('site.loading')}</Waiting>
  return (await render('/', [{ path: '/', components: [Base, SiteLayout, Loading] }])).content
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
