import { onlineManager } from '@tanstack/react-query'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter, loadScreens, Routes, withScreens } from '#web/kit/router/index.ts'
import { createQueryClient } from '#web/wire/read.ts'
import { askWhoAgain } from '#web/wire/session.ts'
import { createRoutes } from './routes.tsx'

// zod compiles its checks with `new Function`, which the content security policy refuses. It reads this when the first
// form brings it along.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

// What was caught and shown as a broken page, the browser's own error reporting gets to know as well.
const options = { onCaughtError: (error: unknown) => reportError(error) }

async function start(root: HTMLElement): Promise<void> {
  const client = createQueryClient()
  onlineManager.subscribe((online) => online && void askWhoAgain(client))
  const routes = withScreens(createRoutes(client))
  // A screen that can't be fetched is rendered nevertheless: as the page that says so.
  await loadScreens(routes, location.pathname).catch(() => undefined)
  const app = (
    <StrictMode>
      <BrowserRouter>
        <Routes routes={routes} />
      </BrowserRouter>
    </StrictMode>
  )
  // A transition: it is taken over piece by piece, and whoever scrolls or types meanwhile comes first.
  if (root.hasAttribute('data-prerendered')) startTransition(() => void hydrateRoot(root, app, options))
  else createRoot(root, options).render(app)
}

const root = document.getElementById('root')
if (!root) throw new Error('The page has no element with the id "root"')
void start(root)
