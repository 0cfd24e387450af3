import { onlineManager } from '@tanstack/react-query'
import { StrictMode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { BrowserRouter, loadScreens, Routes } from '#web/kit/router/index.ts'
import { createQueryClient } from '#web/wire/read.ts'
import { refetchSession } from '#web/wire/session.ts'
import { startWords } from '#web/words/words.ts'
import { splitLocale } from '#words/locales.ts'
import { createRoutes } from './routes.tsx'

// zod compiles its checks with `new Function`, which the content security policy refuses. It reads this setting when the
// first form loads it.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })

// Reports errors that an error boundary caught to the browser as well.
const options = { onCaughtError: (error: unknown) => reportError(error) }

async function start(root: HTMLElement): Promise<void> {
  const client = createQueryClient()
  onlineManager.subscribe((online) => online && void refetchSession(client))
  const routes = createRoutes(client)
  // A screen that fails to load still renders, as an error page, which needs the texts.
  await Promise.allSettled([startWords(), loadScreens(routes, splitLocale(location.pathname).path)])
  const app = (
    <StrictMode>
      <BrowserRouter>
        <Routes routes={routes} />
      </BrowserRouter>
    </StrictMode>
  )
  // A transition: React hydrates in small pieces, so scrolling and typing stay smooth.
  if (root.hasAttribute('data-prerendered')) startTransition(() => void hydrateRoot(root, app, options))
  else createRoot(root, options).render(app)
}

const root = document.getElementById('root')
if (!root) throw new Error('The page has no element with the id "root"')
void start(root)
