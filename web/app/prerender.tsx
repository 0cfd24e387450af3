import { type ReactNode, StrictMode } from 'react'
import { prerender } from 'react-dom/static'
import type { OpenApi } from '#contract/openapi/types.ts'
import { loadScreens, type Route, Routes, StaticRouter, withScreens } from '#web/kit/router/index.ts'
import { Waiting } from '#web/kit/Skeleton.tsx'
import theme from '#web/kit/theme.css?inline'
import { ApiDocs } from '#web/visitor/api-docs/ApiDocs.tsx'
import { createQueryClient } from '#web/wire/read.ts'
import { descriptions } from '#web/words/descriptions.ts'
import { productName, site } from '#web/words/site.ts'
import { Root } from './layout/Root.tsx'
import { SiteLayout } from './layout/SiteLayout.tsx'
import { createRoutes } from './routes.tsx'

export interface RenderedPage {
  title: string
  description: string
  /** The content of the root element, as the browser renders it first. */
  content: string
  /** The files of the screens on it, below web/. */
  files: string[]
}

/** Renders the screen of a path as a visitor's browser does before it knows who they are. */
export async function renderPage(pathname: string): Promise<RenderedPage> {
  const routes = withScreens(createRoutes(createQueryClient()))
  const screens = await loadScreens(routes, pathname)
  const { title, content } = await render(pathname, routes)
  const description = descriptions[pathname] ?? site.description
  return { title: decode(title), description, content, files: screens.map(fileOf) }
}

/** The files of the screens at an address that only the browser can render. */
export async function filesOf(pathname: string): Promise<string[]> {
  return (await loadScreens(withScreens(createRoutes(createQueryClient())), pathname)).map(fileOf)
}

/** What every page looks like. */
export const style = theme
export const siteName = productName
export const tagline = site.tagline

/** Renders what stands around a screen that only the browser can render. */
export async function renderLayout(): Promise<string> {
  const routes: Route[] = [
    {
      element: <Root client={createQueryClient()} />,
      children: [
        { element: <SiteLayout />, children: [{ path: '*', element: <Waiting>Loading...</Waiting> }] },
      ],
    },
  ]
  return (await render('/', routes)).content
}

/** Renders the description of the calls. It stays as it is: nothing of it is rendered in a browser. */
export function renderApiDocs(api: OpenApi): Promise<string> {
  return toHtml(<ApiDocs api={api} />)
}

async function render(pathname: string, routes: Route[]): Promise<{ title: string; content: string }> {
  const html = await toHtml(
    <StrictMode>
      <StaticRouter pathname={pathname}>
        <Routes routes={routes} />
      </StaticRouter>
    </StrictMode>,
  )
  // React puts what belongs into the head in front of the rest.
  const [, title = '', content = ''] = /^(?:<title>(.*?)<\/title>)?(.*)$/s.exec(html) ?? []
  return { title, content }
}

async function toHtml(node: ReactNode): Promise<string> {
  // Larger parts would otherwise be moved into place by inline scripts, which the content security policy refuses.
  const { prelude } = await prerender(node, {
    progressiveChunkSize: Number.POSITIVE_INFINITY,
    onError: (error) => {
      throw error
    },
  })
  return await new Response(prelude).text()
}

/** React has escaped the title, and so does the template. */
function decode(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#x27;', "'")
    .replaceAll('&amp;', '&')
}

/** The build notes on each screen which file it is of. */
function fileOf(screen: unknown): string {
  const file = (screen as { file?: string }).file
  if (!file) throw new Error('A screen is not the default export of its file: export default function Name()')
  return file
}
